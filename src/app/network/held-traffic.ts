// The traffic of a service: that of its switch ports while it had them, or of its virtual machine. What came before or after on a
// port is another customer's.
import { readMachineSeries } from '#equipment/machine-samples.ts';
import { readTraffic } from '#equipment/traffic.ts';
import type { AccountId } from '#store/account-id.ts';
import { machineName } from '#store/devices/machines.ts';
import { attackSpansOfService } from '#store/network/attacks.ts';
import { sampledMachine } from '#store/network/machine-samples.ts';
import { portsHeldBy, type HeldPort } from '#store/network/port-holdings.ts';
import type { Queries } from '#store/store.ts';
import { keepWithin, markAttack, type Series } from '#traffic/series.ts';

/** A switch port, or the card of a virtual machine: then the switch is its hypervisor, and the port has its number. */
export type TrafficPort = Pick<HeldPort, 'switch' | 'if_index' | 'alias' | 'speed'>;

interface PortTraffic {
  readonly port: TrafficPort;
  readonly series: Series;
}

/**
 * Returns the traffic of each port in a span of Unix seconds; `in` is what the service receives. Attacks are marked on reading, so
 * that one that was reported late is included.
 */
export async function readHeldTraffic(
  queries: Queries,
  { account_id, id }: { readonly account_id: AccountId; readonly id: number },
  { start, end }: { readonly start: number; readonly end: number },
): Promise<PortTraffic[]> {
  const attacks = await attackSpansOfService(queries, id, start * 1000, end * 1000);
  const mark = (series: Series): void => {
    for (const { started_at, ended_at } of attacks)
      markAttack(series, started_at / 1000, ended_at === null ? end : ended_at / 1000);
  };
  const holdings = await portsHeldBy(queries, account_id, id);
  // A switch port that the provider assigned counts what its hypervisor does, and more precisely.
  const machine = holdings.length === 0 ? await sampledMachine(queries, account_id, id) : undefined;
  if (machine !== undefined) {
    const { node, vmid } = machine;
    const port = { switch: node, if_index: vmid, alias: machineName(vmid), speed: 0 };
    const series = await readMachineSeries(queries, id, 'network', start, end);
    mark(series);
    return [{ port, series }];
  }
  const byPort = [...Map.groupBy(holdings, (port) => port.id).values()];
  return Promise.all(
    byPort.map(async (held) => {
      const port = held.at(-1)!;
      const series = await readTraffic(queries, port.id, start, end);
      mark(series);
      keepWithin(
        series,
        held.map(({ held_from, held_until }) => ({ from: held_from, until: held_until })),
      );
      // Stored as the switch sees it: what the switch sends is what the customer's server receives.
      return { port, series: { ...series, inBytes: series.outBytes, outBytes: series.inBytes } };
    }),
  );
}
