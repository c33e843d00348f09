// Console sessions of dedicated servers, and the gateway's ports that forward to their controllers. Any instance can end a
// session by deleting its BMC user, which deletes these rows too.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { ConsoleForwardTable, ConsoleSessionTable } from './tables.ts';

export type ConsoleSession = Selectable<ConsoleSessionTable>;

export async function consoleSessionInsert(queries: Queries, session: ConsoleSessionTable): Promise<void> {
  await queries.insertInto('console_sessions').values(session).execute();
}

export async function consoleSessionFind(queries: Queries, id: string): Promise<ConsoleSession | undefined> {
  return selectWhere(queries, 'console_sessions', { id }).selectAll().executeTakeFirst();
}

/** Keeps the session until the transaction ends. Returns false if it is gone. */
export async function consoleSessionLock(queries: Queries, id: string): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'console_sessions', { id })
      .set((set) => ({ expires_at: set.ref('expires_at') }))
      .returning('id'),
  );
}

export async function consoleSessionRemove(queries: Queries, id: string): Promise<void> {
  await deleteWhere(queries, 'console_sessions', { id }).execute();
}

export async function consoleSessionsRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('console_sessions').where('expires_at', '<', now).execute();
}

/** Uses up the link and stores the cookie that replaces it. Returns false if the link is unknown, used or expired. */
export async function consoleLinkRedeem(
  queries: Queries,
  { id, link, cookie, now }: { id: string; link: string; cookie: string; now: number },
): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'console_sessions', { id, link })
      .set({ link: null, link_expires_at: null, cookie })
      .where('link_expires_at', '>', now)
      .returning('id'),
  );
}

/** Returns false if the port is taken. */
export async function consoleForwardInsert(queries: Queries, forward: ConsoleForwardTable): Promise<boolean> {
  return affectsRows(insertNew(queries, 'console_forwards', forward, ['port']).returning('port'));
}

/** Returns the session that a port belongs to, and the controller's port behind it. */
export async function consoleForwardFind(
  queries: Queries,
  port: number,
): Promise<(ConsoleSession & { target: number }) | undefined> {
  return queries
    .selectFrom('console_forwards')
    .innerJoin('console_sessions', 'console_sessions.id', 'console_forwards.session_id')
    .selectAll('console_sessions')
    .select('console_forwards.target')
    .where('console_forwards.port', '=', port)
    .executeTakeFirst();
}

/** Returns the ports that are taken, each with the account that has it. */
export async function consolePortsTaken(queries: Queries): Promise<Map<number, AccountId>> {
  const rows = await queries
    .selectFrom('console_forwards')
    .innerJoin('console_sessions', 'console_sessions.id', 'console_forwards.session_id')
    .select(['port', 'account_id'])
    .execute();
  return new Map(rows.map(({ port, account_id }) => [port, account_id]));
}
