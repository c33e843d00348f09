// What is known of a server's power, written down with how and when it was seen, and told to its account when it changed.
import type { PowerState } from '#drivers/bmc/driver.ts';
import { serverObserve } from '#store/servers.ts';
import { serviceOfServer } from '#store/services.ts';
import type { Queries } from '#store/store.ts';
import type { Service } from '#store/services.ts';

export type PowerSource = 'command' | 'query' | 'sync';

export interface PowerSeen {
  readonly state: PowerState;
  readonly source: PowerSource;
  readonly at: number;
}
export interface PowerChange {
  readonly service: Service;
  readonly state: PowerState;
  readonly source: PowerSource;
}

/** Answers the change where there is one to tell: the first look at a server is none. */
export async function recordPower(queries: Queries, server: string, seen: PowerSeen): Promise<PowerChange | undefined> {
  if (!(await serverObserve(queries, server, seen))) return undefined;
  const service = await serviceOfServer(queries, server);
  return service === undefined ? undefined : { service, state: seen.state, source: seen.source };
}
