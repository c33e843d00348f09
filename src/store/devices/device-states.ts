// The last known state of an account's devices, servers and virtual machines alike.
import { affectsRows, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';

export interface PowerObservation {
  readonly state: 'on' | 'off';
  /** `outlets` is a command that was carried out by a power strip. */
  readonly source: 'command' | 'query' | 'sync' | 'outlets';
  readonly at: number;
}

/**
 * Stores the state of a server or machine. Returns true if it changed. One statement decides, so that of two instances
 * that see a change only one emits the event.
 */
export async function observePower<Table extends 'servers' | 'machines'>(
  queries: Queries,
  table: Table,
  device: Parameters<typeof updateWhere<Table>>[2],
  { state, source, at }: PowerObservation,
): Promise<boolean> {
  const observe = updateWhere(queries, table as 'servers', device as object).set({
    power_state: state,
    power_source: source,
    power_seen_at: at,
    power_error: null,
  });
  const hasChanged = await affectsRows(observe.where('power_state', '!=', state).returning('power_state'));
  if (!hasChanged) await observe.execute();
  return hasChanged;
}

export type DevicePower = Awaited<ReturnType<typeof devicePowerList>>[number];
export async function devicePowerList(queries: Queries, account: AccountId) {
  return (
    queries
      .selectFrom('services')
      .leftJoin('servers', 'servers.name', 'services.server')
      .leftJoin('machines', 'machines.service_id', 'services.id')
      .leftJoin('nodes', 'nodes.name', 'machines.node')
      .leftJoin('service_suspensions', 'service_suspensions.service_id', 'services.id')
      .select(['services.id', 'services.server', 'services.vmid', 'services.status', 'servers.has_web_page'])
      .select('service_suspensions.reason as suspension_reason')
      // A service has one of the two.
      .select(({ fn }) => [
        fn.coalesce('servers.power_state', 'machines.power_state').as('power_state'),
        fn.coalesce('servers.power_seen_at', 'machines.power_seen_at').as('power_seen_at'),
        fn.coalesce('servers.power_error', 'machines.power_error').as('power_error'),
      ])
      .select('nodes.seen_at as node_seen_at')
      .where('services.account_id', '=', account)
      .orderBy('services.id')
      .execute()
  );
}
