// What is recorded about all devices of an account, in one query per table.
import { rowsInBatches, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { SampleKind } from '../network/sample-blocks.ts';

export type MeasuredService = Awaited<ReturnType<typeof measuredServices>>[number];
/** Returns the services that have a device, in order. */
export async function measuredServices(queries: Queries, account: AccountId) {
  return (
    queries
      .selectFrom('services')
      .leftJoin('servers', 'servers.name', 'services.server')
      .leftJoin('machines', 'machines.service_id', 'services.id')
      // Not what was read while another service had the server.
      .leftJoin('server_sensors', (join) =>
        join
          .onRef('server_sensors.server', '=', 'services.server')
          .onRef('server_sensors.service_id', '=', 'services.id'),
      )
      .select(['services.id', 'services.hostname', 'services.type', 'services.server', 'machines.node'])
      .select(['machines.memory_mb', 'machines.disk_gb', 'machines.bandwidth_gb'])
      .select(['machines.traffic_month', 'machines.traffic_bytes'])
      .select(['server_sensors.readings', 'server_sensors.error as sensor_error'])
      // A service has one of the two.
      .select(({ fn }) => [
        fn.coalesce('servers.power_state', 'machines.power_state').as('power_state'),
        fn.coalesce('servers.power_error', 'machines.power_error').as('power_error'),
      ])
      .where('services.account_id', '=', account)
      .where('services.status', '!=', 'Terminated')
      .where((where) => where.or([where('services.server', 'is not', null), where('services.vmid', 'is not', null)]))
      .orderBy('services.id')
      .execute()
  );
}

/** Returns the switch ports of the account's services. */
export async function portsOfAccount(queries: Queries, account: AccountId) {
  return queries
    .selectFrom('ports')
    .innerJoin('services', 'services.id', 'ports.service_id')
    .select(['ports.id', 'ports.switch', 'services.id as service'])
    .where('services.account_id', '=', account)
    .execute();
}

/** Returns the meters of these switches or hypervisors, as they were stored at the end of the last interval. */
export async function storedMetersOf(
  queries: Queries,
  kind: SampleKind,
  devices: readonly string[],
): Promise<Buffer[]> {
  const rows = await rowsInBatches(devices, (batch) =>
    selectWhere(queries, 'device_meters', { kind }).select('meters').where('device', 'in', batch),
  );
  return rows.map(({ meters }) => meters);
}

/** Returns the blocks of these switches or hypervisors with samples of intervals that started at this time or later, in order. */
export async function blocksSince(
  queries: Queries,
  kind: SampleKind,
  devices: readonly string[],
  start: number,
): Promise<Buffer[]> {
  const rows = await rowsInBatches(devices, (batch) =>
    selectWhere(queries, 'sample_blocks', { kind })
      .select('packed')
      .where('device', 'in', batch)
      .where('last_start', '>=', start)
      .orderBy('id'),
  );
  return rows.map(({ packed }) => packed);
}
