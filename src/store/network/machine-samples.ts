// What virtual machines use: one packed row per machine, series and day, and the hypervisor that it was sampled on. A machine has
// one service for life, so its samples belong to that service.
import { Type, type Static } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import { preparedPut } from '../engine/prepared-rows.ts';
import { batches, rowsInBatches } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import { StoredMeter } from './traffic.ts';
import type { MachineDayTable, MachineMeterTable, MachineSeries } from './tables.ts';

const MachineMeters = Type.Object({
  network: Type.Optional(StoredMeter),
  disk: Type.Optional(StoredMeter),
  cpu: Type.Optional(StoredMeter),
});
export type StoredMachineMeters = Static<typeof MachineMeters>;
export const machineMeters = jsonColumn('machine_meters.meters', MachineMeters);
/** By service. */
export const hypervisorMeters = jsonColumn(
  'device_meters.meters',
  Type.Array(Type.Tuple([Type.Number(), MachineMeters])),
);

const daysOfMachine = prepared(
  (queries: Queries, values: { service: number; series: MachineSeries; from: number; to: number }) =>
    queries
      .selectFrom('machine_days')
      .select(['day_start', 'packed'])
      .where('service_id', '=', values.service)
      .where('series', '=', values.series)
      .where('day_start', '>=', values.from)
      .where('day_start', '<', values.to)
      .orderBy('day_start'),
);
/** Returns the days of a machine's series that start within the span. */
export function machineDays(
  queries: Queries,
  service: number,
  series: MachineSeries,
  from: number,
  to: number,
): Promise<Pick<MachineDayTable, 'day_start' | 'packed'>[]> {
  return daysOfMachine(queries, { service, series, from, to });
}

export const machineDaysPut = preparedPut('machine_days', ['service_id', 'series', 'day_start']);

/** Returns the service's machine and its hypervisor: the current one, or the last that it was sampled on. */
export async function sampledMachine(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<{ readonly vmid: number; readonly node: string } | undefined> {
  const row = await queries
    .selectFrom('services')
    .leftJoin('machines', 'machines.service_id', 'services.id')
    .leftJoin('machine_meters', 'machine_meters.service_id', 'services.id')
    .select(['services.vmid', 'machines.node', 'machine_meters.node as last_node'])
    .where('services.account_id', '=', account)
    .where('services.id', '=', service)
    .executeTakeFirst();
  const node = row?.node ?? row?.last_node;
  return row?.vmid && node ? { vmid: row.vmid, node } : undefined;
}

export async function machineMetersOf(
  queries: Queries,
  services: readonly number[],
): Promise<ReadonlyMap<number, MachineMeterTable>> {
  const meters = queries.selectFrom('machine_meters').selectAll();
  const rows = await rowsInBatches(services, (batch) => meters.where('service_id', 'in', batch));
  return new Map(rows.map((row) => [row.service_id, row]));
}

/** Records the hypervisor that machines are sampled on. Meters of a release that stored them by machine are taken over with it. */
export async function machineNodesPut(queries: Queries, services: readonly number[], node: string): Promise<void> {
  const takenOver = { node, meters: '{}' };
  for (const batch of batches(services))
    await queries
      .insertInto('machine_meters')
      .values(batch.map((service_id) => ({ service_id, ...takenOver })))
      .onConflict((conflict) => conflict.column('service_id').doUpdateSet(takenOver))
      .execute();
}
