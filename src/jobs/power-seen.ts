// The power of a device as it was seen: on record with how and when, and told to its account where that is a change. The first
// look at a device is none. Commands, questions and the loops that look all see it, and of two nodes only one tells.
import { machineObserve } from '#store/devices/machines.ts';
import { serverObserve } from '#store/devices/servers.ts';
import { serviceOfServer } from '#store/devices/services.ts';
import type { PowerObservation } from '#store/devices/device-states.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { eventAppend, type AppendParts } from './event-append.ts';

/** Answers whether there was something to tell. */
export async function serverSeen(
  parts: AppendParts,
  queries: Queries,
  server: string,
  seen: PowerObservation,
): Promise<boolean> {
  if (!(await serverObserve(queries, server, seen))) return false;
  const service = await serviceOfServer(queries, server);
  if (service === undefined) return false;
  await tell(parts, queries, { account: service.account_id, service: service.id }, seen);
  return true;
}

export async function machineSeen(
  parts: AppendParts,
  queries: Queries,
  owner: ServiceOwner,
  seen: PowerObservation,
): Promise<void> {
  if (await machineObserve(queries, owner.service, seen)) await tell(parts, queries, owner, seen);
}

export interface ServiceOwner {
  readonly account: AccountId;
  readonly service: number;
}

async function tell(
  parts: AppendParts,
  queries: Queries,
  { account, service }: ServiceOwner,
  { state, source }: PowerObservation,
): Promise<void> {
  await eventAppend(parts, queries, { account, service, type: 'device.power.changed', data: { state, source } });
}
