// The provider's servers: how to connect to their BMCs, their hardware, and their last known power state.
import { sql, type Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import { serverStatesBefore, type ServerState } from '#contract/states/servers.ts';
import { preparedRows, runInBatches } from '../engine/prepared.ts';
import { preparedFind, preparedPut } from '../engine/prepared-rows.ts';
import { batches, ifChanged, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn, type DeepReadonly } from '../json-column.ts';
import { sensorsClear } from './sensors.ts';
import { serialHistoryClear } from './serial-lines.ts';
import type { ServerTable } from './tables.ts';

/** Descriptions of the parts, by category. */
export const serverParts = jsonColumn('servers.parts', Type.Record(Type.String(), Type.Array(Type.String())));
const ServerDisk = Type.Object({
  serial: Type.String(),
  sizeGb: Type.Number(),
  /** Installers do not touch the disk. */
  preserve: Type.Optional(Type.Boolean()),
});
export type ServerDisk = Static<typeof ServerDisk>;
export const serverOutlets = jsonColumn(
  'servers.outlets',
  Type.Array(Type.Object({ pdu: Type.String(), outlet: Type.String() })),
);
export const serverDisks = jsonColumn('servers.disks', Type.Array(ServerDisk));

export type Server = Selectable<ServerTable>;
type BootColumns = Pick<Server, 'uuid' | 'firmware' | 'boot_address' | 'serial' | 'disks'>;
export type ServerSettings = Pick<
  Server,
  'name' | 'bmc_driver' | 'bmc_settings' | 'bmc_model' | 'console_host' | 'parts'
> &
  Partial<Pick<Server, 'erase' | 'bmc_file_digest' | 'has_web_page' | 'outlets'> & BootColumns>;

export const serverFind = preparedFind('servers', 'name');

/** Does not matter to open connections to the BMC, which are replaced after other changes. */
const bootColumns = new Set<string>(['uuid', 'boot_address', 'serial', 'disks']);

const put = preparedRows((queries: Queries, servers: readonly ServerSettings[]) => {
  const columns = Object.keys(servers[0]!).filter((column) => column !== 'name');
  const changing = Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
  const connecting = Object.fromEntries(Object.entries(changing).filter(([column]) => !bootColumns.has(column)));
  const isReplaced = sql`(servers.removed_at is not null or ${ifChanged('servers', connecting)})`;
  return queries
    .insertInto('servers')
    .values(
      servers.map((server) => ({
        bmc_revision: 0,
        power_state: null,
        power_source: null,
        power_seen_at: null,
        power_error: null,
        next_look_at: 0,
        uuid: null,
        firmware: null,
        serial: null,
        removed_at: null,
        ...server,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({
        ...changing,
        bmc_revision: sql<number>`servers.bmc_revision + case when ${isReplaced} then 1 else 0 end`,
        next_look_at: 0,
        removed_at: null,
      }),
    );
});
export async function serverPut(queries: Queries, server: ServerSettings): Promise<void> {
  await put(queries, [server]);
}

/** What the site file says of a server: also how it is identified when it boots from the network. */
export type SiteServerRow = Required<ServerSettings> & { readonly macs: readonly string[] };

/**
 * Creates or changes servers. Parts that moved to them from other servers, which the site file may list later, belong to them
 * from now on.
 */
export async function serversPut(queries: Queries, servers: readonly SiteServerRow[]): Promise<void> {
  for (const column of ['uuid', 'serial'] as const) {
    const moved = servers.map((server) => server[column]).filter((value) => value !== null);
    for (const batch of batches(moved))
      await queries
        .updateTable('servers')
        .set({ [column]: null })
        .where(column, 'in', batch)
        .execute();
  }
  await runInBatches(put, queries, servers, ({ macs: _macs, ...row }) => row);
  for (const batch of batches(servers.map(({ name }) => name)))
    await queries.deleteFrom('server_macs').where('server', 'in', batch).execute();
  await macsPut(
    queries,
    servers.flatMap(({ name, macs }) => macs.map((mac) => ({ mac, server: name }))),
  );
}
const macsPut = preparedPut('server_macs', ['mac']);

/** Includes removed servers. */
export async function serversWithoutAlias(queries: Queries): Promise<string[]> {
  const rows = await selectWhere(queries, 'servers', { alias: null }).select('name').execute();
  return rows.map(({ name }) => name);
}

export async function lastServerAlias(queries: Queries): Promise<string | undefined> {
  const last = queries.selectFrom('servers').select('alias').where('alias', 'is not', null);
  return (await last.orderBy('alias', 'desc').limit(1).executeTakeFirst())?.alias ?? undefined;
}

export async function serverAliasSet(queries: Queries, name: string, alias: string): Promise<void> {
  await updateWhere(queries, 'servers', { name }).set({ alias }).execute();
}

export async function serverAliases(queries: Queries, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsInBatches(names, (batch) =>
    queries.selectFrom('servers').select(['name', 'alias']).where('name', 'in', batch),
  );
  return new Map(rows.flatMap(({ name, alias }) => (alias === null ? [] : [[name, alias] as const])));
}

/** Finds a server whose alias is the name of another one. */
export async function serverNamedAsAlias(queries: Queries): Promise<Pick<Server, 'name' | 'alias'> | undefined> {
  return queries
    .selectFrom('servers')
    .innerJoin('servers as named', 'named.name', 'servers.alias')
    .select(['servers.name', 'servers.alias'])
    .where('servers.alias', 'is not', null)
    .executeTakeFirst();
}

/** A server with its MAC addresses, sorted. */
export type StoredServer = Server & { readonly macs: readonly string[] };

/** Returns all servers, including removed ones, by name. */
export async function storedServers(queries: Queries): Promise<ReadonlyMap<string, StoredServer>> {
  const cards = Map.groupBy(await queries.selectFrom('server_macs').selectAll().execute(), ({ server }) => server);
  const rows = await queries.selectFrom('servers').selectAll().execute();
  return new Map(
    rows.map((row) => [row.name, { ...row, macs: (cards.get(row.name) ?? []).map(({ mac }) => mac).sort() }]),
  );
}

/** Returns those of the servers that may have a customer's data on their disks. */
export async function serversInUse(
  queries: Queries,
  names: readonly string[],
): Promise<Pick<Server, 'name' | 'state'>[]> {
  const inUse = queries.selectFrom('servers').select(['name', 'state']).where('state', '!=', 'available');
  return rowsInBatches(names, (batch) => inUse.where('name', 'in', batch));
}

/**
 * Removes the server: it is no longer checked, and its secrets, network cards and serial number are deleted. What
 * customers did with it stays on record.
 */
export async function serverRemove(queries: Queries, name: string, now: number, noSettings: string): Promise<void> {
  await queries
    .updateTable('servers')
    .set((set) => ({
      bmc_settings: noSettings,
      bmc_revision: set('bmc_revision', '+', 1),
      uuid: null,
      boot_address: null,
      serial: null,
      disks: '[]',
      removed_at: now,
    }))
    .where('name', '=', name)
    .execute();
  await queries.deleteFrom('server_macs').where('server', '=', name).execute();
  await queries.deleteFrom('serial_lines').where('server', '=', name).execute();
  await serialHistoryClear(queries, name);
  await sensorsClear(queries, name);
}

/** Returns the serial numbers of these servers, by name. */
export async function serverSerials(
  queries: Queries,
  names: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const serials = queries.selectFrom('servers').select(['name', 'serial']);
  const rows = await rowsInBatches(names, (batch) => serials.where('name', 'in', batch));
  return new Map(rows.map(({ name, serial }) => [name, serial]));
}

/** Returns the servers that have these MAC addresses, by address. */
export async function serversByMac(queries: Queries, macs: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const cards = queries.selectFrom('server_macs').selectAll();
  const rows = await rowsInBatches(macs, (batch) => cards.where('mac', 'in', batch));
  return new Map(rows.map(({ mac, server }) => [mac, server]));
}

export async function serverMacs(queries: Queries, name: string): Promise<string[]> {
  const rows = await selectWhere(queries, 'server_macs', { server: name }).select('mac').orderBy('mac').execute();
  return rows.map(({ mac }) => mac);
}

/** Returns the servers that always boot with the same address. */
export async function serverBootAddresses(queries: Queries): Promise<{ macs: string[]; address: string }[]> {
  const rows = await queries
    .selectFrom('server_macs')
    .innerJoin('servers', 'servers.name', 'server_macs.server')
    .select(['mac', 'boot_address'])
    .where('boot_address', 'is not', null)
    .orderBy('mac')
    .execute();
  const cards = Map.groupBy(rows, (row) => row.boot_address!);
  return [...cards].map(([address, group]) => ({ macs: group.map(({ mac }) => mac), address }));
}

/** The check failed: the current power state is unknown, and the last known one stays on record. */
export async function serverObserveFailure(
  queries: Queries,
  name: string,
  error: string,
  nextCheckAt: number,
): Promise<void> {
  const failed = { power_error: error, next_look_at: nextCheckAt };
  await queries.updateTable('servers').set(failed).where('name', '=', name).execute();
}

export type DueServer = Awaited<ReturnType<typeof serversToCheck>>[number];
export async function serversToCheck(queries: Queries, now: number, limit: number) {
  return selectChecked(queries).where('next_look_at', '<=', now).orderBy('next_look_at').limit(limit).execute();
}

function selectChecked(queries: Queries) {
  return selectWhere(queries, 'servers', { removed_at: null })
    .select(['name', 'bmc_revision', 'power_state', 'power_seen_at', 'power_error'])
    .select((select) => select('inventory', 'is', null).as('is_unrecorded'));
}

export async function serversToCheckAgain(queries: Queries, names: readonly string[]): Promise<DueServer[]> {
  return names.length === 0 ? [] : selectChecked(queries).where('name', 'in', names).execute();
}

/** Returns the servers in a known state that are not due. */
export async function serversDueLater(queries: Queries, now: number): Promise<string[]> {
  const later = selectWhere(queries, 'servers', { removed_at: null, power_error: null }).select('name');
  return (await later.where('next_look_at', '>', now).execute()).map(({ name }) => name);
}

export interface ConfirmedServer {
  readonly name: string;
  readonly state: 'on' | 'off';
  readonly at: number;
}
/** Confirms that servers are in their recorded state, unless a command has changed it since. */
export async function serversConfirm(
  queries: Queries,
  servers: readonly ConfirmedServer[],
  nextCheckAt: number,
): Promise<void> {
  for (const state of ['on', 'off'] as const) {
    const ofState = servers.filter((server) => server.state === state);
    if (ofState.length === 0) continue;
    const seenTimes = ofState.map(({ name, at }) => sql`when ${name} then cast(${at} as bigint)`);
    await updateWhere(queries, 'servers', { power_state: state, power_error: null })
      .set({
        power_source: 'sync',
        power_seen_at: sql<number>`case name ${sql.join(seenTimes, sql` `)} end`,
        next_look_at: nextCheckAt,
      })
      .where(
        'name',
        'in',
        ofState.map(({ name }) => name),
      )
      .execute();
  }
}

export async function serverCheckSoon(queries: Queries, name: string, at: number): Promise<void> {
  await queries.updateTable('servers').set({ next_look_at: at }).where('name', '=', name).execute();
}

/** Returns true if the state table allows the change; otherwise the server stays unchanged. */
export async function serverMove(queries: Queries, name: string, state: ServerState): Promise<boolean> {
  return (await serversMove(queries, [name], state)).length > 0;
}

/** Does the same for many servers, and returns those that changed. */
export async function serversMove(
  queries: Queries,
  names: readonly string[],
  state: ServerState,
): Promise<Pick<Server, 'name'>[]> {
  const movable = queries.updateTable('servers').where('state', 'in', serverStatesBefore(state)).set({ state });
  return rowsInBatches(names, (batch) => movable.where('name', 'in', batch).returning('name'));
}

/** Hardware and firmware as the BMC and the erasing system report them. */
export const serverInventory = jsonColumn(
  'servers.inventory',
  Type.Object({
    parts: Type.Record(Type.String(), Type.Array(Type.String())),
    firmware: Type.Record(Type.String(), Type.String()),
    memoryMb: Type.Union([Type.Number(), Type.Null()]),
  }),
);
export type ServerInventory = DeepReadonly<ReturnType<typeof serverInventory.decode>>;

/** Keeps a record that exists. */
export async function serverInventoryAdd(queries: Queries, name: string, inventory: ServerInventory): Promise<void> {
  await updateWhere(queries, 'servers', { name, inventory: null })
    .set({ inventory: serverInventory.encode(inventory) })
    .execute();
}

export async function serverInventorySet(queries: Queries, name: string, inventory: ServerInventory): Promise<void> {
  await updateWhere(queries, 'servers', { name })
    .set({ inventory: serverInventory.encode(inventory) })
    .execute();
}

/** Stores the password before the BMC gets it, so that it is not lost if the process dies in between. */
export async function serverNextPasswordSet(queries: Queries, name: string, sealed: string): Promise<void> {
  await updateWhere(queries, 'servers', { name }).set({ bmc_next_password: sealed }).execute();
}

/** The BMC has the next password. Settings with the old one stay in the site file. */
export async function serverPasswordRotate(
  queries: Queries,
  name: string,
  settings: { readonly bmc_settings: string; readonly bmc_file_digest: string },
): Promise<void> {
  await updateWhere(queries, 'servers', { name })
    .set((set) => ({ ...settings, bmc_next_password: null, bmc_revision: set('bmc_revision', '+', 1) }))
    .execute();
}

/** Returns servers that can be given to a customer, by name. */
export async function serversFree(queries: Queries, limit: number) {
  return queries
    .selectFrom('servers')
    .select(['name', 'parts', 'bmc_model'])
    .where('state', '=', sql.lit('available' as const))
    .where('removed_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('device_holds').select('kind').whereRef('device_holds.device', '=', 'servers.name'),
        ),
      ),
    )
    .orderBy('name')
    .limit(limit)
    .execute();
}
