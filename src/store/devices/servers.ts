// The provider's servers: how to connect to their BMCs, their hardware, and their last known power state.
import { isDeepStrictEqual } from 'node:util';
import type { Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import type { Firmware } from '#contract/site/boot.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import type { PowerObservation } from './device-states.ts';
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
export const serverDisks = jsonColumn('servers.disks', Type.Array(ServerDisk));

export type Server = Selectable<ServerTable>;
export type ServerSettings = Pick<
  Server,
  'name' | 'bmc_driver' | 'bmc_settings' | 'bmc_model' | 'console_host' | 'parts'
>;

export async function serverFind(queries: Queries, name: string): Promise<Server | undefined> {
  return queries.selectFrom('servers').selectAll().where('name', '=', name).executeTakeFirst();
}

export async function serverPut(queries: Queries, server: ServerSettings): Promise<void> {
  const { name, ...changing } = server;
  await queries
    .insertInto('servers')
    .values({
      name,
      ...changing,
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
    })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({
        ...changing,
        bmc_revision: set('servers.bmc_revision', '+', 1),
        next_look_at: 0,
        removed_at: null,
      })),
    )
    .execute();
}

export interface BootIdentity {
  readonly macs: readonly string[];
  readonly uuid: string | null;
  readonly firmware: Firmware | null;
  readonly serial: string | null;
  readonly disks: readonly ServerDisk[];
}
/**
 * Stores how a server is identified when it boots from the network, and which disks an installer may write to. Parts
 * that moved here from another server, which the site file may list later, belong to this one from now on.
 */
export async function serverBootPut(
  queries: Queries,
  name: string,
  { macs, uuid, firmware, serial, disks }: BootIdentity,
): Promise<void> {
  const before = await serverFind(queries, name);
  const isSame =
    before?.uuid === uuid &&
    before.firmware === firmware &&
    before.serial === serial &&
    before.disks === serverDisks.encode(disks) &&
    isDeepStrictEqual(await serverMacs(queries, name), macs.toSorted());
  if (isSame) return;
  if (uuid !== null) await queries.updateTable('servers').set({ uuid: null }).where('uuid', '=', uuid).execute();
  if (serial !== null)
    await queries.updateTable('servers').set({ serial: null }).where('serial', '=', serial).execute();
  await queries
    .updateTable('servers')
    // Open BMC connections still use the previous firmware, so they are replaced.
    .set((set) => ({
      uuid,
      firmware,
      serial,
      disks: serverDisks.encode(disks),
      bmc_revision: set('bmc_revision', '+', before?.firmware === firmware ? 0 : 1),
    }))
    .where('name', '=', name)
    .execute();
  await queries.deleteFrom('server_macs').where('server', '=', name).execute();
  for (const mac of macs) {
    await queries
      .insertInto('server_macs')
      .values({ mac, server: name })
      .onConflict((conflict) => conflict.column('mac').doUpdateSet({ server: name }))
      .execute();
  }
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
      serial: null,
      disks: '[]',
      removed_at: now,
    }))
    .where('name', '=', name)
    .execute();
  await queries.deleteFrom('server_macs').where('server', '=', name).execute();
  await queries.deleteFrom('serial_lines').where('server', '=', name).execute();
}

export async function serverMacs(queries: Queries, name: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('server_macs')
    .select('mac')
    .where('server', '=', name)
    .orderBy('mac')
    .execute();
  return rows.map(({ mac }) => mac);
}

/**
 * Returns true if the state changed. One statement decides, so that of two instances that see a change only one emits
 * the event.
 */
export async function serverObserve(queries: Queries, name: string, seen: PowerObservation): Promise<boolean> {
  const observe = queries
    .updateTable('servers')
    .set({ power_state: seen.state, power_source: seen.source, power_seen_at: seen.at, power_error: null })
    .where('name', '=', name);
  const changed = await observe.where('power_state', '!=', seen.state).returning('name').executeTakeFirst();
  if (changed === undefined) await observe.execute();
  return changed !== undefined;
}

/** The check failed: the current power state is unknown, and the last known one stays on record. */
export async function serverObserveFailure(queries: Queries, name: string, error: string): Promise<void> {
  await queries.updateTable('servers').set({ power_error: error }).where('name', '=', name).execute();
}

export async function serversToCheck(queries: Queries, now: number, limit: number): Promise<Server[]> {
  return queries
    .selectFrom('servers')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

export async function serverCheckSoon(queries: Queries, name: string, at: number): Promise<void> {
  await queries.updateTable('servers').set({ next_look_at: at }).where('name', '=', name).execute();
}
