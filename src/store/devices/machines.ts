// Virtual machines: their orders, hypervisors and last known states.
import { sql, type Selectable } from 'kysely';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { countRows, ifChanged, planEachTime, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { Tables } from '../tables.ts';
import { hasNoWorkflow } from '../work/workflows.ts';
import type { MachineTable } from './machine-tables.ts';

export type Machine = Selectable<MachineTable>;
const notCreated = {
  state: 'pending',
  reason: '',
  detail: '',
  attempts: 0,
  next_attempt_at: 0,
  node: null,
  member: null,
  power_state: null,
  power_source: null,
  power_seen_at: null,
  power_error: null,
  install_secret: null,
  is_protected: 0,
  untidy: 0,
  networks: null,
  addresses_digest: null,
  traffic_month: 0,
  traffic_bytes: 0,
} as const;
/** Settings of the customer; a machine from the site file has none. */
type ChosenColumn = 'wanted_location' | 'group_id' | 'install_data' | 'from_backup';
/** For a machine that was on a hypervisor before Hostyard. */
type AdoptionColumn = 'hypervisor_name' | 'unfiltered';
type OptionalColumn = ChosenColumn | AdoptionColumn;
export type MachineOrder = Omit<Machine, keyof typeof notCreated | OptionalColumn> &
  Partial<Pick<Machine, OptionalColumn>>;

/** Returns the machine's name on hypervisors. */
export function machineName(vmid: number): string {
  return `vm-${vmid}`;
}

/** Returns why the machine does not exist or has no filter, with the message of its equipment, for operators. */
export function machineProblem({ reason, detail }: Pick<Machine, 'reason' | 'detail'>): string {
  return reason.endsWith(detail) ? reason : `${reason} ${detail}`.trim();
}

export async function machineFind(queries: Queries, service: number): Promise<Machine | undefined> {
  return queries.selectFrom('machines').selectAll().where('service_id', '=', service).executeTakeFirst();
}

/** Returns all machines by service. */
export async function storedMachines(queries: Queries): Promise<ReadonlyMap<number, Machine>> {
  const rows = await queries.selectFrom('machines').selectAll().execute();
  return new Map(rows.map((row) => [row.service_id, row]));
}

const insert = preparedInsert('machines');
/** Creates machines of services that have none. */
export async function machinesInsert(queries: Queries, orders: readonly MachineOrder[]): Promise<void> {
  await insert(
    queries,
    orders.map((order) => ({ ...order, ...notCreated })),
  );
}

/**
 * Creates the machine as ordered. An existing machine keeps its size and system; only its traffic allowance and filtering change.
 */
export async function machinePut(queries: Queries, order: MachineOrder): Promise<void> {
  const { service_id, bandwidth_gb, unfiltered = 0, ...shape } = order;
  const changing = { bandwidth_gb, unfiltered };
  await queries
    .insertInto('machines')
    .values({ ...order, ...notCreated })
    .onConflict((conflict) =>
      conflict.column('service_id').doUpdateSet(changing).where(ifChanged('machines', changing)),
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

/** A machine that is to be deleted stays so, whatever else ends after its service. */
export async function machineChange(
  queries: Queries,
  service: number,
  {
    untidy,
    ...change
  }: Partial<
    Pick<
      Machine,
      'state' | 'reason' | 'node' | 'template' | 'install_secret' | 'untidy' | 'networks' | 'addresses_digest'
    > &
      Pick<Machine, 'detail' | 'attempts' | 'next_attempt_at' | 'install_data' | 'is_protected' | 'from_backup'>
  >,
): Promise<void> {
  const tidiness = untidy === undefined ? {} : { untidy: sql<number>`case when untidy = 2 then 2 else ${untidy} end` };
  await queries
    .updateTable('machines')
    .set({ ...change, ...tidiness })
    .where('service_id', '=', service)
    .execute();
}

export async function machineSizeSet(
  queries: Queries,
  service: number,
  size: Pick<Machine, 'vcpus' | 'memory_mb' | 'disk_gb' | 'bandwidth_gb'>,
): Promise<void> {
  await updateWhere(queries, 'machines', { service_id: service }).set(size).execute();
}

/** Returns the services whose machines are still to be created with this system. */
export async function servicesWaitingForSystem(queries: Queries, template: string): Promise<number[]> {
  const waiting = selectWhere(queries, 'machines', { state: 'pending', template }).where('untidy', '<', 2);
  return (await waiting.select('service_id').execute()).map(({ service_id }) => service_id);
}

/** Returns the resources of machines that are not created yet and so are not counted by any hypervisor. */
export async function machinesNotCreated(queries: Queries, except: number) {
  return selectWhere(queries, 'machines', { state: 'pending' })
    .select(['node', 'memory_mb', 'disk_gb'])
    .where('service_id', '!=', except)
    .where('node', 'is not', null)
    .execute();
}

/** Returns the machines that the last reading of their hypervisor's capacity does not count, in the order of their orders. */
export async function machinesUncounted(queries: Queries) {
  const nodes = await queries.selectFrom('nodes').select('capacity_at').execute();
  const oldestReading = Math.min(...nodes.map(({ capacity_at }) => capacity_at ?? Infinity));
  const services = queries
    .selectFrom('services')
    .innerJoin('machines', 'machines.service_id', 'services.id')
    .select(['machines.service_id', 'machines.node', 'machines.kind', 'machines.memory_mb', 'machines.disk_gb'])
    .select(['machines.wanted_node', 'machines.wanted_location', 'machines.group_id'])
    .where('services.status', '<>', 'Terminated');
  const pending = await services.where('machines.state', '=', 'pending').execute();
  const installed = Number.isFinite(oldestReading)
    ? await planEachTime(
        services
          .innerJoin('nodes', 'nodes.name', 'machines.node')
          .where('services.installed_at', '>=', oldestReading)
          .whereRef('services.installed_at', '>=', 'nodes.capacity_at')
          .where('machines.state', '<>', 'pending'),
      ).execute()
    : [];
  return [...pending, ...installed].toSorted((one, other) => one.service_id - other.service_id);
}

export async function machineCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'machines', { account_id: account }));
}

/** Returns a page of the account's machines, with what their customers manage, in one query. */
export async function ownMachinePage(
  queries: Queries,
  account: AccountId,
  { after, limit, services }: { after: number; limit: number; services: readonly number[] | undefined },
) {
  let query = queries
    .selectFrom('machines')
    .innerJoin('services', 'services.id', 'machines.service_id')
    .leftJoin('nodes', 'nodes.name', 'machines.node')
    .leftJoin('machine_deletions', 'machine_deletions.service_id', 'machines.service_id')
    .selectAll('machines')
    .select(['services.hostname', 'services.status', 'services.ip', 'nodes.location'])
    .select(['machine_deletions.deleted_at', 'machine_deletions.expires_at'])
    .where('machines.account_id', '=', account)
    .where('machines.service_id', '>', after);
  if (services !== undefined) query = query.where('machines.service_id', 'in', services);
  return query.orderBy('machines.service_id').limit(limit).execute();
}

/** What is compared with the hypervisor. Thousands of machines are read twice a minute, so nothing else is. */
const comparedColumns = [
  'service_id',
  'account_id',
  'vmid',
  'member',
  'power_state',
  'power_seen_at',
  'power_error',
  'reason',
  'detail',
  'untidy',
  'networks',
  'unfiltered',
] as const;
export type ComparedMachine = Pick<Machine, (typeof comparedColumns)[number]>;

/** Yields the machines of a hypervisor in pages, without those that migrate. */
export async function* machinesOfHypervisor(
  queries: Queries,
  node: string,
  pageLength: number,
): AsyncGenerator<readonly ComparedMachine[]> {
  for (let page: ComparedMachine[] = [], isLast = false; !isLast; isLast = page.length < pageLength) {
    page = await selectWhere(queries, 'machines', { node, state: 'ready' })
      .select(comparedColumns)
      // A migration records the power itself: the machine may already run on its new hypervisor.
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('machine_copies')
              .select('machine_copies.node')
              .whereRef('machine_copies.service_id', '=', 'machines.service_id')
              .where('machine_copies.is_obsolete', '=', 0),
          ),
        ),
      )
      .where('vmid', '>', page.at(-1)?.vmid ?? 0)
      .orderBy('vmid')
      .limit(pageLength)
      .execute();
    yield page;
  }
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

/** Returns the next machines that exist and respond, in the order of services, with what their network settings depend on. */
export async function machinesAfter(queries: Queries, service: number, limit: number) {
  return selectWhere(queries, 'machines', { state: 'ready', power_error: null })
    .innerJoin('services', 'services.id', 'machines.service_id')
    .innerJoin('nodes', 'nodes.name', 'machines.node')
    .select(['machines.service_id', 'machines.vmid', 'machines.addresses_digest'])
    .select(['services.ip', 'nodes.name as node', 'nodes.name_servers'])
    .where('untidy', '<', 2)
    .where('machines.service_id', '>', service)
    .orderBy('machines.service_id')
    .limit(limit)
    .execute();
}

/** Returns how many machines are known to run without a filter. */
export async function machinesUnfiltered(queries: Queries): Promise<number> {
  const unfiltered = selectWhere(queries, 'machines', { state: 'ready', networks: null, unfiltered: 0 });
  return countRows(unfiltered.where('untidy', '<', 2));
}

/** Confirms that the hypervisor reported the recorded state. */
export async function machinesConfirm(queries: Queries, services: readonly number[], at: number): Promise<void> {
  const seen = { power_seen_at: at, power_error: null };
  await queries.updateTable('machines').set(seen).where('service_id', 'in', services).execute();
}

type Seen = Pick<Selectable<Tables['nodes']>, 'name' | 'seen_at'>;

/** The check failed: the current power state is unknown, and the last known one stays on record, with when it was seen. */
export async function machinesUnknown(
  queries: Queries,
  services: readonly number[],
  node: Seen,
  error: string,
): Promise<void> {
  await queries
    .updateTable('machines')
    .set(unknownSince(node, error))
    .where('service_id', 'in', services)
    .where('power_error', 'is distinct from', error)
    .execute();
}

export async function machinesUnknownOnHypervisor(queries: Queries, node: Seen, error: string): Promise<void> {
  await updateWhere(queries, 'machines', { node: node.name })
    .set(unknownSince(node, error))
    .where('power_error', 'is distinct from', error)
    .execute();
}

function unknownSince({ seen_at }: Seen, error: string) {
  const seen = sql<number | null>`case when power_error is null and power_seen_at < ${seen_at}
    then ${seen_at} else power_seen_at end`;
  return { power_error: error, power_seen_at: seen };
}

export async function machineMemberSet(queries: Queries, service: number, member: string | null): Promise<void> {
  await queries.updateTable('machines').set({ member }).where('service_id', '=', service).execute();
}

export async function machinesToTidy(queries: Queries): Promise<Machine[]> {
  return selectWhere(queries, 'machines', { untidy: 1 }).selectAll().orderBy('service_id').execute();
}

/** Returns machines to delete completely. */
export async function machinesToDelete(queries: Queries): Promise<Machine[]> {
  return selectWhere(queries, 'machines', { untidy: 2 }).selectAll().orderBy('service_id').execute();
}

export async function machineRemove(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('machines').where('service_id', '=', service).execute();
}

/** Returns all machines, for operators. */
export async function machinesAll(queries: Queries): Promise<Machine[]> {
  return queries.selectFrom('machines').selectAll().orderBy('vmid').execute();
}

/** Returns machines that do not exist yet and are due, each with a running workflow of its service. */
export async function machinesDue(queries: Queries, now: number, limit: number) {
  return selectWhere(queries, 'machines', { state: 'pending' })
    .select(({ selectFrom }) => [
      'service_id',
      selectFrom('workflows')
        .select('workflows.id')
        .whereRef('workflows.service_id', '=', 'machines.service_id')
        .where('workflows.ended_at', 'is', null)
        .limit(1)
        .as('workflow'),
    ])
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
}

export async function machinesDefer(queries: Queries, services: readonly number[], until: number): Promise<void> {
  if (services.length === 0) return;
  await queries.updateTable('machines').set({ next_attempt_at: until }).where('service_id', 'in', services).execute();
}

export async function machinesPendingCount(queries: Queries): Promise<number> {
  return countRows(selectWhere(queries, 'machines', { state: 'pending' }));
}

/** Returns machines that could not be created so far, those that failed most often first. */
export async function machinesFailing(queries: Queries, limit: number): Promise<Machine[]> {
  return selectWhere(queries, 'machines', { state: 'pending' })
    .selectAll()
    .where('reason', '!=', '')
    .orderBy('attempts', 'desc')
    .orderBy('vmid')
    .limit(limit)
    .execute();
}

/** Returns machines that do not exist yet. */
export async function machinesPending(queries: Queries): Promise<Machine[]> {
  return queries.selectFrom('machines').selectAll().where('state', '=', 'pending').orderBy('vmid').execute();
}

/** Returns machines that do not exist yet and should, with their services, unless this workflow is creating them. */
export async function machinesToCreate(queries: Queries, workflow: string) {
  return selectWhere(queries, 'machines', { state: 'pending' })
    .innerJoin('services', 'services.id', 'machines.service_id')
    .select(['machines.service_id', 'machines.vmid', 'machines.from_backup'])
    .select(['services.account_id', 'services.hostname', 'services.ip'])
    .where('services.status', 'in', ['Active', 'Pending'])
    .where(hasNoWorkflow('machines', [workflow]))
    .orderBy('machines.service_id')
    .execute();
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
