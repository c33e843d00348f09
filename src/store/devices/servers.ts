// The provider's servers: how their controllers are reached, what they are made of, and what was last seen of their power.
import { isDeepStrictEqual } from 'node:util';
import type { Generated, Selectable } from 'kysely';
import type { Firmware } from '#contract/site-boot.ts';
import type { PowerObservation } from './device-states.ts';
import type { Queries } from '../store.ts';

export interface ServerTable {
  /** As legacy 2.2 has it, in lower case. */
  name: string;
  bmc_driver: string;
  /** The driver's settings as JSON, sealed: they hold the provider's password. */
  bmc_settings: string;
  /** Counts changes of the settings, so that an open connection knows that it is out of date. */
  bmc_revision: number;
  bmc_model: string;
  /** The name under which customers reach the console gateway of this server. */
  console_host: string;
  /** Category to descriptions, as JSON. */
  parts: string;
  /** What was last seen; null where nothing ever was. It holds for now only where `power_error` is null. */
  power_state: 'on' | 'off' | null;
  /** How it was observed: `command`, `query` or `sync`. */
  power_source: string | null;
  power_seen_at: number | null;
  /** What stood in the way of the last look, null where nothing did. */
  power_error: string | null;
  next_look_at: number;
  /** As its firmware tells it, in lower case; null where the site file does not say. */
  uuid: string | null;
  /** Null where the site file does not say. */
  firmware: Firmware | null;
  /** `ServerDisk`s as JSON. */
  disks: Generated<string>;
  /** What is printed on its case. */
  serial: string | null;
  /** When it was taken out of the site file for good; null where it is there. */
  removed_at: number | null;
}
/** The network cards of servers, in lower case with colons. */
export interface ServerMacTable {
  mac: string;
  server: string;
}
export interface ServerDisk {
  readonly serial: string;
  readonly sizeGb: number;
  /** An installer leaves it as it is. */
  readonly preserve?: boolean;
}
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
/** How a server is known when it boots over the network, and what an installer may write to. Parts that moved here from another
 * server, which the site file may list later, are this one's from now on. */
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
    before.disks === JSON.stringify(disks) &&
    isDeepStrictEqual(await serverMacs(queries, name), macs.toSorted());
  if (isSame) return;
  if (uuid !== null) await queries.updateTable('servers').set({ uuid: null }).where('uuid', '=', uuid).execute();
  if (serial !== null)
    await queries.updateTable('servers').set({ serial: null }).where('serial', '=', serial).execute();
  await queries
    .updateTable('servers')
    // Whoever has the controller open was told of the former firmware.
    .set((set) => ({
      uuid,
      firmware,
      serial,
      disks: JSON.stringify(disks),
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

/** Takes it out: nobody looks at it any more, and its secrets, cards and serial number are gone. What customers did with it stays
 * on record. */
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

/** True where something else was known before. One statement decides, so that of two nodes that see it only one tells. */
export async function serverObserve(queries: Queries, name: string, seen: PowerObservation): Promise<boolean> {
  const observe = queries
    .updateTable('servers')
    .set({ power_state: seen.state, power_source: seen.source, power_seen_at: seen.at, power_error: null })
    .where('name', '=', name);
  const changed = await observe.where('power_state', '!=', seen.state).returning('name').executeTakeFirst();
  if (changed === undefined) await observe.execute();
  return changed !== undefined;
}

/** The look failed: what the power is now is unknown, what it was stays on record. */
export async function serverObserveFailure(queries: Queries, name: string, error: string): Promise<void> {
  await queries.updateTable('servers').set({ power_error: error }).where('name', '=', name).execute();
}

export async function serversToLookAt(queries: Queries, now: number, limit: number): Promise<Server[]> {
  return queries
    .selectFrom('servers')
    .selectAll()
    .where('removed_at', 'is', null)
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

export async function serverLookAgain(queries: Queries, name: string, at: number): Promise<void> {
  await queries.updateTable('servers').set({ next_look_at: at }).where('name', '=', name).execute();
}
