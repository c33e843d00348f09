// Open screens of virtual machines: each has a password of its own, good for one machine until it ends. Any node can end one
// by removing its row.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface ScreenSessionTable {
  id: string;
  account_id: AccountId;
  service_id: number;
  /** Whose right it stands on. */
  key_id: number;
  address: string;
  /** Sealed. */
  password: string;
  expires_at: number;
}
export type ScreenSession = Selectable<ScreenSessionTable>;

export async function screenSessionInsert(queries: Queries, session: ScreenSessionTable): Promise<void> {
  await queries.insertInto('screen_sessions').values(session).execute();
}

export async function screenSessionFind(queries: Queries, id: string): Promise<ScreenSession | undefined> {
  return queries.selectFrom('screen_sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function screenSessionsOpen(queries: Queries, now: number): Promise<ScreenSession[]> {
  return queries.selectFrom('screen_sessions').selectAll().where('expires_at', '>', now).execute();
}

export async function screenSessionsRemoveOf(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('screen_sessions').where('service_id', '=', service).execute();
}

export async function screenSessionsRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('screen_sessions').where('expires_at', '<', now).execute();
}
