// Old events and their deliveries, removed in portions: a long delete would keep every writer waiting. Events have no index by
// time, which each of them would pay for; they are numbered in the order of time, so the oldest of an account are its first.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export async function accountsWithEventsBefore(queries: Queries, at: number): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
select account_id from audit_tips as account where events > 0 and (
  select at from events where account_id = account.account_id order by sequence limit 1) < ${at}`.execute(queries);
  return rows.map((row) => row.account_id);
}

/** Of the account's oldest events at most so many, those from before that moment; answers how many. In a transaction. */
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
  const kept = oldest.findIndex((event) => event.at >= at);
  const old = kept === -1 ? oldest : oldest.slice(0, kept);
  const last = old.at(-1);
  if (last === undefined) return 0;
  for (const table of ['deliveries', 'events'] as const) {
    await queries.deleteFrom(table).where('account_id', '=', account).where('sequence', '<=', last.sequence).execute();
  }
  return old.length;
}
