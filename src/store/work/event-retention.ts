// Deletes old events and their deliveries in batches, because a long delete would block every writer. Events have no
// index by time, which every insert would pay for; they are numbered in order of time, so an account's oldest events
// are its first.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';

export async function accountsWithEventsBefore(queries: Queries, at: number): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
select account_id from audit_tips as account where events > 0 and (
  select at from events where account_id = account.account_id order by sequence limit 1) < ${at}`.execute(queries);
  return rows.map((row) => row.account_id);
}

/**
 * Deletes up to the given number of the account's oldest events from before this time, and returns how many. Must run
 * in a transaction.
 */
export async function eventsRemoveBefore(
  queries: Queries,
  account: AccountId,
  at: number,
  atMost: number,
): Promise<number> {
  const oldest = await queries
    .selectFrom('events')
    .select(['sequence', 'at'])
    .where('account_id', '=', account)
    .orderBy('sequence')
    .limit(atMost)
    .execute();
  const firstKept = oldest.findIndex((event) => event.at >= at);
  const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
  const last = old.at(-1);
  if (last === undefined) return 0;
  for (const table of ['deliveries', 'events'] as const) {
    await queries.deleteFrom(table).where('account_id', '=', account).where('sequence', '<=', last.sequence).execute();
  }
  return old.length;
}
