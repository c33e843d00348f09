// Virtual machines: what was sold, where it runs, and what was last seen of it.
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { PowerObservation } from './device-states.ts';
import type { Queries } from '../store.ts';
import type { AccountId, ServiceStatus } from '../tables.ts';
import type { MachineKind } from './templates.ts';

export interface MachineTable {
  service_id: number;
  account_id: AccountId;
  vmid: number;
  kind: MachineKind;
  /** `pending` until it is there on a node. */
  state: 'pending' | 'ready';
  /** Why it is not there yet, for the operator. */
  reason: string;
  /** The node that the site file asks for; null: wherever it fits. */
  wanted_node: string | null;
  node: string | null;
  /** Which host of a cluster it was last seen on. */
  member: string | null;
  /** The value of the template of its present system. */
  template: string;
  vcpus: number;
  memory_mb: number;
  disk_gb: number;
  bandwidth_gb: number;
  mac: string;
  /** What was last seen; it holds for now only where `power_error` is null. */
  power_state: 'on' | 'off' | null;
  power_source: string | null;
  power_seen_at: number | null;
  power_error: string | null;
  /** The root password of a system that is being built, sealed; null as soon as it is built. */
  install_secret: string | null;
  /** 1 while systems that it no longer boots may be left on the node, 2 once its service was terminated and it is to go. */
  untidy: number;
  /** Months since year 0, the bytes moved in that month, and the node's counters when last read. */
  traffic_month: number;
  traffic_bytes: number;
  counter_received: number;
  counter_sent: number;
  next_meter_at: number;
}
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

/** What nodes call it. */
export function machineName(vmid: number): string {
  return `vm-${vmid}`;
}

export async function machineFind(queries: Queries, service: number): Promise<Machine | undefined> {
  return queries.selectFrom('machines').selectAll().where('service_id', '=', service).executeTakeFirst();
}

/** As ordered. What is there already keeps its shape and system: only what it may move in a month changes. */
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

/** What is promised to machines that are not made yet, and so stands in no node's own figures. */
export async function machinesPromised(queries: Queries, except: number) {
  return queries
    .selectFrom('machines')
    .select(['node', 'memory_mb', 'disk_gb'])
    .where('state', '=', 'pending')
    .where('service_id', '!=', except)
    .where('node', 'is not', null)
    .execute();
}

/** True where something else was known before. One statement decides, so that of two nodes that see it only one tells. */
export async function machineObserve(queries: Queries, service: number, seen: PowerObservation): Promise<boolean> {
  const observe = queries
    .updateTable('machines')
    .set({ power_state: seen.state, power_source: seen.source, power_seen_at: seen.at, power_error: null })
    .where('service_id', '=', service);
  const changed = await observe.where('power_state', '!=', seen.state).returning('vmid').executeTakeFirst();
  if (changed === undefined) await observe.execute();
  return changed !== undefined;
}

export async function machinesOfNode(queries: Queries, node: string): Promise<Machine[]> {
  return queries
    .selectFrom('machines')
    .selectAll()
    .where('node', '=', node)
    .where('state', '=', 'ready')
    .orderBy('vmid')
    .execute();
}

/** The node was asked and showed them as they are on record. */
export async function machinesConfirm(queries: Queries, services: readonly number[], at: number): Promise<void> {
  if (services.length === 0) return;
  await queries
    .updateTable('machines')
    .set({ power_seen_at: at, power_error: null })
    .where('service_id', 'in', services)
    .execute();
}

/** The look failed: what the power is now is unknown, what it was stays on record. */
export async function machinesUnknown(queries: Queries, services: readonly number[], error: string): Promise<void> {
  if (services.length === 0) return;
  await queries.updateTable('machines').set({ power_error: error }).where('service_id', 'in', services).execute();
}

export async function machinesUnknownOnNode(queries: Queries, node: string, error: string): Promise<void> {
  await queries.updateTable('machines').set({ power_error: error }).where('node', '=', node).execute();
}

export async function machineMember(queries: Queries, service: number, member: string | null): Promise<void> {
  await queries.updateTable('machines').set({ member }).where('service_id', '=', service).execute();
}

export async function machinesUntidy(queries: Queries, limit: number): Promise<Machine[]> {
  return queries
    .selectFrom('machines')
    .selectAll()
    .where('untidy', '=', 1)
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

/** Those of which nothing is to be left. */
export async function machinesOver(queries: Queries, limit: number): Promise<Machine[]> {
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

/** For the operator. */
export async function machinesAll(queries: Queries): Promise<Machine[]> {
  return queries.selectFrom('machines').selectAll().orderBy('vmid').execute();
}

/** Not there yet. */
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
/** Only where nobody else has counted since, so that nothing is counted twice. */
export async function machineMetered(
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

/** A machine as it is listed, with one row for each block of addresses that it has. */
export interface ListedMachine extends Machine {
  readonly hostname: string;
  readonly status: ServiceStatus;
  readonly ip: string;
  readonly block_first: string | null;
  readonly block_last: string | null;
}
/** All machines of the account, or one, with their addresses, in one query. */
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
