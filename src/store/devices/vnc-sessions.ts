// Open VNC sessions of virtual machines. Each has its own password, valid for one machine until the session ends. Any
// instance can end one by deleting its row.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { VncSessionTable } from './tables.ts';

export type VncSession = Selectable<VncSessionTable>;

export async function vncSessionInsert(queries: Queries, session: VncSessionTable): Promise<void> {
  await queries.insertInto('screen_sessions').values(session).execute();
}

export async function vncSessionFind(queries: Queries, id: string): Promise<VncSession | undefined> {
  return queries.selectFrom('screen_sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function vncSessionsOpen(queries: Queries, now: number): Promise<VncSession[]> {
  return queries.selectFrom('screen_sessions').selectAll().where('expires_at', '>', now).execute();
}

export async function vncSessionsRemoveOf(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('screen_sessions').where('service_id', '=', service).execute();
}

export async function vncSessionsRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('screen_sessions').where('expires_at', '<', now).execute();
}
