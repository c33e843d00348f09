// The traffic of a service: that of its switch ports while it had them. What came before or after is another customer's.
import { readTraffic } from '#equipment/traffic.ts';
import type { AccountId } from '#store/account-id.ts';
import { portsHeldBy, type HeldPort } from '#store/network/port-holdings.ts';
import type { Queries } from '#store/store.ts';
import { keepWithin, type Series } from '#traffic/series.ts';

interface PortTraffic {
  readonly port: HeldPort;
  readonly series: Series;
}

/** Returns the traffic of each port in a span of Unix seconds; `in` is what the service receives. */
export async function readHeldTraffic(
  queries: Queries,
  { account_id, id }: { readonly account_id: AccountId; readonly id: number },
  { start, end }: { readonly start: number; readonly end: number },
): Promise<PortTraffic[]> {
  const holdings = await portsHeldBy(queries, account_id, id);
  const byPort = [...Map.groupBy(holdings, (port) => port.id).values()];
  return Promise.all(
    byPort.map(async (held) => {
      const port = held.at(-1)!;
      const series = await readTraffic(queries, port.id, start, end);
      keepWithin(
        series,
        held.map(({ held_from, held_until }) => ({ from: held_from, until: held_until })),
      );
      // Stored as the switch sees it: what the switch sends is what the customer's server receives.
      return { port, series: { ...series, inBytes: series.outBytes, outBytes: series.inBytes } };
    }),
  );
}
