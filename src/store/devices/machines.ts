// Virtual machines: their orders, hypervisors and last known states.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { PowerObservation } from './device-states.ts';
import type { MachineTable, ServiceStatus } from './tables.ts';

export type Machine = Selectable<MachineTable>;
export type MachineOrder = Pick<
  Machine,
  | 'service_id'
  | 'account_id'
  | 'vmid'
  | 'kind'
  | 'wanted_node'
  | 'template'
  | 'vcpus'
  | 'memory_mb'
  | 'disk_gb'
  | 'bandwidth_gb'
  | 'mac'
>;

/** Returns the machine's name on hypervisors. */
export function machineName(vmid: number): string {
  return `vm-${vmid}`;
}

export async function machineFind(queries: Queries, service: number): Promise<Machine | undefined> {
  return queries.selectFrom('machines').selectAll().where('service_id', '=', service).executeTakeFirst();
}

/**
 * Creates the machine as ordered. An existing machine keeps its size and system; only its traffic allowance changes.
 */
export async function machinePut(queries: Queries, order: MachineOrder): Promise<void> {
  const { service_id, bandwidth_gb, ...shape } = order;
  await queries
    .insertInto('machines')
    .values({
      ...order,
      state: 'pending',
      reason: '',
      node: null,
      member: null,
      power_state: null,
      power_source: null,
      power_seen_at: null,
      power_error: null,
      install_secret: null,
      untidy: 0,
      traffic_month: 0,
      traffic_bytes: 0,
      counter_received: 0,
      counter_sent: 0,
      next_meter_at: 0,
    })
    .onConflict((conflict) =>
      conflict.column('service_id').doUpdateSet({ bandwidth_gb }).where(ifChanged('machines', { bandwidth_gb })),
    )
    .execute();
  await queries
    .updateTable('machines')
    .set(shape)
    .where('service_id', '=', service_id)
    .where('state', '=', 'pending')
    .where('node', 'is', null)
    .where((where) =>
      where.or(
        Object.entries(shape).map(([column, value]) => where(column as keyof typeof shape, 'is distinct from', value)),
      ),
    )
    .execute();
}

export async function machineChange(
  queries: Queries,
  service: number,
  change: Partial<Pick<Machine, 'state' | 'reason' | 'node' | 'template' | 'install_secret' | 'untidy'>>,
): Promise<void> {
  await queries.updateTable('machines').set(change).where('service_id', '=', service).execute();
}

/** Returns the resources of machines that are not created yet and so are not counted by any hypervisor. */
export async function machinesNotCreated(queries: Queries, except: number) {
  return queries
    .selectFrom('machines')
    .select(['node', 'memory_mb', 'disk_gb'])
    .where('state', '=', 'pending')
    .where('service_id', '!=', except)
    .where('node', 'is not', null)
    .execute();
}

/**
 * Returns true if the state changed. One statement decides, so that of two instances that see a change only one emits
 * the event.
 */
export async function machineObserve(queries: Queries, service: number, seen: PowerObservation): Promise<boolean> {
  const observe = queries
    .updateTable('machines')
    .set({ power_state: seen.state, power_source: seen.source, power_seen_at: seen.at, power_error: null })
    .where('service_id', '=', service);
  const changed = await observe.where('power_state', '!=', seen.state).returning('vmid').executeTakeFirst();
  if (changed === undefined) await observe.execute();
  return changed !== undefined;
}

export async function machinesOfHypervisor(queries: Queries, node: string): Promise<Machine[]> {
  return queries
    .selectFrom('machines')
    .selectAll()
    .where('node', '=', node)
    .where('state', '=', 'ready')
    .orderBy('vmid')
    .execute();
}

/** Confirms that the hypervisor reported the recorded state. */
export async function machinesConfirm(queries: Queries, services: readonly number[], at: number): Promise<void> {
  if (services.length === 0) return;
  await queries
    .updateTable('machines')
    .set({ power_seen_at: at, power_error: null })
    .where('service_id', 'in', services)
    .execute();
}

/** The check failed: the current power state is unknown, and the last known one stays on record. */
export async function machinesUnknown(queries: Queries, services: readonly number[], error: string): Promise<void> {
  if (services.length === 0) return;
  await queries.updateTable('machines').set({ power_error: error }).where('service_id', 'in', services).execute();
}

export async function machinesUnknownOnHypervisor(queries: Queries, node: string, error: string): Promise<void> {
  await queries.updateTable('machines').set({ power_error: error }).where('node', '=', node).execute();
}

export async function machineMemberSet(queries: Queries, service: number, member: string | null): Promise<void> {
  await queries.updateTable('machines').set({ member }).where('service_id', '=', service).execute();
}

export async function machinesToTidy(queries: Queries, limit: number): Promise<Machine[]> {
  return queries
    .selectFrom('machines')
    .selectAll()
    .where('untidy', '=', 1)
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

/** Returns machines to delete completely. */
export async function machinesToDelete(queries: Queries, limit: number): Promise<Machine[]> {
  return queries
    .selectFrom('machines')
    .selectAll()
    .where('untidy', '=', 2)
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

export async function machineRemove(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('machines').where('service_id', '=', service).execute();
}

/** Returns all machines, for operators. */
export async function machinesAll(queries: Queries): Promise<Machine[]> {
  return queries.selectFrom('machines').selectAll().orderBy('vmid').execute();
}

/** Returns machines that do not exist yet. */
export async function machinesPending(queries: Queries): Promise<Machine[]> {
  return queries.selectFrom('machines').selectAll().where('state', '=', 'pending').orderBy('vmid').execute();
}

export async function machinesToMeter(queries: Queries, node: string, now: number, limit: number): Promise<Machine[]> {
  return queries
    .selectFrom('machines')
    .selectAll()
    .where('node', '=', node)
    .where('power_state', '=', 'on')
    .where('next_meter_at', '<=', now)
    .orderBy('next_meter_at')
    .limit(limit)
    .execute();
}

export type MachineMeter = Pick<Machine, 'traffic_month' | 'traffic_bytes' | 'counter_received' | 'counter_sent'>;
/** Stores a reading only if no other was stored since, so that nothing is counted twice. */
export async function machineTrafficSet(
  queries: Queries,
  before: Machine,
  meter: MachineMeter & Pick<Machine, 'next_meter_at'>,
): Promise<void> {
  await queries
    .updateTable('machines')
    .set(meter)
    .where('service_id', '=', before.service_id)
    .where('counter_received', '=', before.counter_received)
    .where('counter_sent', '=', before.counter_sent)
    .where('traffic_month', '=', before.traffic_month)
    .execute();
}

/** A listed machine, with one row per block of addresses. */
export interface ListedMachine extends Machine {
  readonly hostname: string;
  readonly status: ServiceStatus;
  readonly ip: string;
  readonly block_first: string | null;
  readonly block_last: string | null;
}
/** Returns all machines of the account, or one, with their addresses, in one query. */
export async function machineList(
  queries: Queries,
  account: AccountId,
  vmid: number | undefined,
): Promise<ListedMachine[]> {
  let query = queries
    .selectFrom('machines')
    .innerJoin('services', 'services.id', 'machines.service_id')
    .leftJoin('netblocks', (join) => join.onRef('netblocks.service_id', '=', 'machines.service_id'))
    .selectAll('machines')
    .select(['services.hostname', 'services.status', 'services.ip'])
    .select([sql.ref<string | null>('netblocks.first').as('block_first')])
    .select([sql.ref<string | null>('netblocks.last').as('block_last')])
    .where('machines.account_id', '=', account);
  if (vmid !== undefined) query = query.where('machines.vmid', '=', vmid);
  return query.orderBy('machines.vmid').orderBy('netblocks.first').execute();
}
