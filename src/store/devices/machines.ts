// Virtual machines: their orders, hypervisors and last known states.
import type { Selectable } from 'kysely';
import { ifChanged, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { MachineTable } from './tables.ts';

export type Machine = Selectable<MachineTable>;
const notCreated = {
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
  networks: null,
  traffic_month: 0,
  traffic_bytes: 0,
} as const;
export type MachineOrder = Omit<Machine, keyof typeof notCreated>;

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
    .values({ ...order, ...notCreated })
    .onConflict((conflict) =>
      conflict.column('service_id').doUpdateSet({ bandwidth_gb }).where(ifChanged('machines', { bandwidth_gb })),
    )
    .execute();
  await updateWhere(queries, 'machines', { service_id, state: 'pending', node: null })
    .set(shape)
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
  change: Partial<Pick<Machine, 'state' | 'reason' | 'node' | 'template' | 'install_secret' | 'untidy' | 'networks'>>,
): Promise<void> {
  await queries.updateTable('machines').set(change).where('service_id', '=', service).execute();
}

/** Returns the resources of machines that are not created yet and so are not counted by any hypervisor. */
export async function machinesNotCreated(queries: Queries, except: number) {
  return selectWhere(queries, 'machines', { state: 'pending' })
    .select(['node', 'memory_mb', 'disk_gb'])
    .where('service_id', '!=', except)
    .where('node', 'is not', null)
    .execute();
}

export async function machinesOfHypervisor(queries: Queries, node: string): Promise<Machine[]> {
  return selectWhere(queries, 'machines', { node, state: 'ready' }).selectAll().orderBy('vmid').execute();
}

/** Returns the blocks whose addresses each of these machines may use, by service: its main address, then what it was assigned. */
export async function machineNetworks(
  queries: Queries,
  services: readonly number[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  if (services.length === 0) return new Map();
  const rows = await queries
    .selectFrom('services')
    .leftJoin('netblocks', (join) => join.onRef('netblocks.service_id', '=', 'services.id'))
    .select(['services.id', 'services.ip', 'netblocks.cidr'])
    .where('services.id', 'in', services)
    .orderBy('netblocks.first')
    .execute();
  const networks = new Map<number, string[]>();
  for (const { id, ip, cidr } of rows) {
    const own = networks.get(id) ?? [`${ip}/${ip.includes(':') ? 128 : 32}`];
    networks.set(id, cidr === null || own.includes(cidr) ? own : [...own, cidr]);
  }
  return networks;
}

/** Returns how many machines are known to run without a filter. */
export async function machinesUnfiltered(queries: Queries): Promise<number> {
  const { count } = await selectWhere(queries, 'machines', { state: 'ready', networks: null })
    .select((select) => select.fn.countAll().as('count'))
    .where('untidy', '<', 2)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Confirms that the hypervisor reported the recorded state. */
export async function machinesConfirm(queries: Queries, services: readonly number[], at: number): Promise<void> {
  if (services.length === 0) return;
  const seen = { power_seen_at: at, power_error: null };
  await queries.updateTable('machines').set(seen).where('service_id', 'in', services).execute();
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
  return selectWhere(queries, 'machines', { untidy: 1 }).selectAll().orderBy('service_id').limit(limit).execute();
}

/** Returns machines to delete completely. */
export async function machinesToDelete(queries: Queries, limit: number): Promise<Machine[]> {
  return selectWhere(queries, 'machines', { untidy: 2 }).selectAll().orderBy('service_id').limit(limit).execute();
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

export type ListedMachine = Awaited<ReturnType<typeof machineList>>[number];
/** Returns all machines of the account, or one, with one row per block of addresses, in one query. */
export async function machineList(queries: Queries, account: AccountId, vmid: number | undefined) {
  let query = queries
    .selectFrom('machines')
    .innerJoin('services', 'services.id', 'machines.service_id')
    .leftJoin('netblocks', (join) => join.onRef('netblocks.service_id', '=', 'machines.service_id'))
    .selectAll('machines')
    .select(['services.hostname', 'services.status', 'services.ip'])
    .select(['netblocks.first as block_first', 'netblocks.last as block_last'])
    .where('machines.account_id', '=', account);
  if (vmid !== undefined) query = query.where('machines.vmid', '=', vmid);
  return query.orderBy('machines.vmid').orderBy('netblocks.first').execute();
}
