// Switches, and those of their ports that belong to customers.
import type { Selectable } from 'kysely';
import { preparedFind, preparedPut } from '../engine/prepared-rows.ts';
import { deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { portHoldingsSync } from './port-holdings.ts';
import type { SwitchTable, PortTable } from './tables.ts';

export type SwitchRow = Selectable<SwitchTable>;
export type Port = Selectable<PortTable>;

/** It is not known which port of the switch it is. */
const unbound = { key_by: null, key: null, current_index: null, problem: null, cabled_to: null } as const;

/** Returns all switches, including removed ones, by name. */
export async function storedSwitches(queries: Queries): Promise<ReadonlyMap<string, SwitchRow>> {
  const rows = await queries.selectFrom('switches').selectAll().execute();
  return new Map(rows.map((row) => [row.name, row]));
}

export const switchFind = preparedFind('switches', 'name');

export async function switchPut(
  queries: Queries,
  wanted: Pick<SwitchRow, 'name' | 'driver' | 'settings'>,
): Promise<void> {
  const { name, ...changing } = wanted;
  await queries
    .insertInto('switches')
    .values({ name, ...changing, revision: 0, next_poll_at: 0, last_poll_at: null, poll_error: null, removed_at: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((set) => ({ ...changing, revision: set('switches.revision', '+', 1), removed_at: null })),
    )
    .execute();
}

export async function switchesToPoll(queries: Queries, now: number, limit: number): Promise<SwitchRow[]> {
  const due = selectWhere(queries, 'switches', { removed_at: null }).where('next_poll_at', '<=', now);
  return due.selectAll().orderBy('next_poll_at').limit(limit).execute();
}

export async function switchPollSet(
  queries: Queries,
  name: string,
  poll: Pick<SwitchRow, 'next_poll_at' | 'poll_error'> & { last_poll_at?: number; error_text?: string },
): Promise<void> {
  await queries.updateTable('switches').set(poll).where('name', '=', name).execute();
}

export type SitePort = Pick<Port, 'switch' | 'if_index' | 'service_id' | 'server' | 'key_by' | 'key'>;
const put = preparedPut('ports', ['switch', 'if_index'], ['alias', 'speed']);
export async function portsPut(queries: Queries, ports: readonly SitePort[]): Promise<void> {
  await put(
    queries,
    ports.map((port) => ({ ...port, alias: '', speed: 0 })),
  );
}

/** Assigns the ports of a server to its new service. */
export async function portsFollowServer(queries: Queries, server: string, service: number, now: number): Promise<void> {
  const ports = updateWhere(queries, 'ports', { server }).where('service_id', 'is distinct from', service);
  await ports.set({ service_id: service }).execute();
  await portHoldingsSync(queries, now);
}

/** Takes all ports from a service. */
export async function portsRelease(queries: Queries, service: number, now: number): Promise<void> {
  await updateWhere(queries, 'ports', { service_id: service }).set({ service_id: null }).execute();
  await portHoldingsSync(queries, now);
}

/** Removes the switch: it is no longer polled, and its secrets are deleted. The traffic of its ports stays. */
export async function switchRemove(queries: Queries, name: string, now: number, noSettings: string): Promise<void> {
  await updateWhere(queries, 'switches', { name })
    .set((set) => ({ settings: noSettings, revision: set('revision', '+', 1), removed_at: now }))
    .execute();
  await deleteWhere(queries, 'switch_reports', { switch: name }).execute();
  // Another device may get the name, with other ports.
  await updateWhere(queries, 'ports', { switch: name })
    .set({ service_id: null, server: null, ...unbound })
    .execute();
  await portHoldingsSync(queries, now);
}

export async function allPorts(queries: Queries): Promise<Port[]> {
  return queries.selectFrom('ports').selectAll().orderBy('switch').orderBy('if_index').execute();
}

export async function portsOfSwitch(queries: Queries, name: string): Promise<Port[]> {
  return queries.selectFrom('ports').selectAll().where('switch', '=', name).orderBy('if_index').execute();
}

export async function portsOfSwitches(
  queries: Queries,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Port[]>> {
  if (names.length === 0) return new Map();
  const ports = queries.selectFrom('ports').selectAll().where('switch', 'in', names);
  return Map.groupBy(await ports.orderBy('switch').orderBy('if_index').execute(), (port) => port.switch);
}

export async function portsOfService(queries: Queries, account: AccountId, service: number): Promise<Port[]> {
  return queries
    .selectFrom('ports')
    .innerJoin('services', 'services.id', 'ports.service_id')
    .selectAll('ports')
    .where('services.account_id', '=', account)
    .where('services.id', '=', service)
    .orderBy('ports.switch')
    .orderBy('ports.if_index')
    .execute();
}

export async function portFind(queries: Queries, id: number): Promise<Port | undefined> {
  return selectWhere(queries, 'ports', { id }).selectAll().executeTakeFirst();
}

/** Stores where a port was found on its switch, or why not. */
export async function portBind(
  queries: Queries,
  id: number,
  binding: Partial<Pick<Port, 'key_by' | 'key' | 'current_index' | 'counter_bits' | 'problem' | 'cabled_to'>>,
): Promise<void> {
  await updateWhere(queries, 'ports', { id }).set(binding).execute();
}

/** Forgets which port of the switch this is, and its counters, which are not comparable with those of another. */
export async function portUnbind(queries: Queries, { id }: Pick<Port, 'id'>): Promise<void> {
  await portBind(queries, id, unbound);
  await deleteWhere(queries, 'meters', { port_id: id }).execute();
}

/** Takes the key from a port that belongs to nobody, so that another can have it. */
export async function portKeyRelease(
  queries: Queries,
  { switch: of, key_by, key }: Pick<Port, 'switch' | 'key_by' | 'key'>,
): Promise<void> {
  await updateWhere(queries, 'ports', { switch: of, key_by, key, server: null, service_id: null })
    .set({ key_by: null, key: null, current_index: null, problem: null })
    .execute();
}

/** Returns the ports of customers that cannot be identified, or that lead to another server. */
export async function portsWithProblem(queries: Queries, limit = Number.MAX_SAFE_INTEGER): Promise<Port[]> {
  return queries
    .selectFrom('ports')
    .selectAll()
    .where((where) => where.or([where('problem', 'is not', null), where('cabled_to', 'is not', null)]))
    .where((where) => where.or([where('server', 'is not', null), where('service_id', 'is not', null)]))
    .orderBy('switch')
    .orderBy('if_index')
    .limit(limit)
    .execute();
}

/** Returns the server that each port of the switch should lead to: the one at its cable, or that of its service. */
export async function portServers(queries: Queries, name: string): Promise<ReadonlyMap<number, string>> {
  const rows = await queries
    .selectFrom('ports')
    .leftJoin('services', 'services.id', 'ports.service_id')
    .select(['ports.id', 'ports.server', 'services.server as service_server'])
    .where('ports.switch', '=', name)
    .execute();
  return new Map(
    rows.flatMap(({ id, server, service_server }) => {
      const expected = server ?? service_server;
      return expected === null ? [] : [[id, expected] as const];
    }),
  );
}

/** Stores the switch's description of a port, for when it does not respond. */
export async function portDescribe(queries: Queries, id: number, alias: string, speed: number): Promise<void> {
  await queries.updateTable('ports').set({ alias, speed }).where('id', '=', id).execute();
}

export async function portsOfServer(queries: Queries, server: string): Promise<Port[]> {
  return queries
    .selectFrom('ports')
    .selectAll()
    .where('server', '=', server)
    .orderBy('switch')
    .orderBy('if_index')
    .execute();
}
