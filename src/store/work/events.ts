// The event log: a sequence per account without gaps, in commit order. The next number comes from the account's row in
// `audit_tips`, which stays locked until the transaction ends, so whoever has read up to a number has read everything
// below it.
import { sql, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { prepared, preparedRows } from '../engine/prepared.ts';
import { selectWhere } from '../engine/rows.ts';
import { noteEvents } from '../commits.ts';
import { mailSettingsEntry } from '../mail/settings-entry.ts';
import type { Queries } from '../store.ts';
import { isOfServices } from '../account/service-limits.ts';
import { firstHash } from '../account/tables.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { EventTable } from './tables.ts';

export const eventData = jsonColumn('events.data', Type.Object({}));

export type StoredEvent = Selectable<EventTable>;
export type NewEvent = Omit<StoredEvent, 'sequence'>;

/** Where the events of an account go. */
export interface Channels {
  /** The number of active ones. */
  readonly webhooks: number;
  /** Null if the installation sends no email. */
  readonly mail: 1 | null;
}

/** For a query that reads the account's row anyway. */
export function channelsOf(account: AccountId) {
  return [
    sql<number>`(select count(*) from webhooks where account_id = ${account} and status = 'Active')`.as('webhooks'),
    sql<1 | null>`(select 1 from meta where name = ${mailSettingsEntry})`.as('mail'),
  ] as const;
}

const takeNumbers = prepared((queries: Queries, values: { account: AccountId; count: number }) =>
  queries
    .insertInto('audit_tips')
    .values({ account_id: values.account, hash: firstHash, events: values.count })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ events: set('audit_tips.events', '+', values.count) })),
    )
    .returning(['events', ...channelsOf(values.account)]),
);
const insert = preparedRows((queries: Queries, events: readonly StoredEvent[]) =>
  queries.insertInto('events').values(events),
);

/** Inserts events of one account in order. Must run in a transaction. */
export async function eventsInsert(
  queries: Queries,
  account: AccountId,
  events: readonly NewEvent[],
): Promise<{ events: StoredEvent[]; channels: Channels }> {
  const [tip] = await takeNumbers(queries, { account, count: events.length });
  const first = tip!.events - events.length + 1;
  const numbered = events.map((event, index) => ({ ...event, sequence: first + index }));
  await eventsInsertNumbered(queries, numbered);
  noteEvents(queries, account, tip!.events);
  return { events: numbered, channels: tip! };
}

/** Inserts events that the caller has numbered itself while it holds the account's row. */
export async function eventsInsertNumbered(queries: Queries, events: readonly StoredEvent[]): Promise<void> {
  if (events.length > 0) await insert(queries, events);
}

/** Returns the number of the account's last event, or 0 if there is none. */
export async function eventTip(queries: Queries, account: AccountId): Promise<number> {
  const row = await selectWhere(queries, 'audit_tips', { account_id: account }).select('events').executeTakeFirst();
  return row?.events ?? 0;
}

export async function eventTips(queries: Queries, accounts: readonly AccountId[]): Promise<Map<AccountId, number>> {
  const rows = await queries
    .selectFrom('audit_tips')
    .select(['account_id', 'events'])
    .where('account_id', 'in', accounts)
    .execute();
  return new Map(rows.map((row) => [row.account_id, row.events]));
}

export interface EventRange {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
  readonly types: readonly string[] | undefined;
  readonly service: number | undefined;
  /** Only events of these services, and those of none. */
  readonly services?: ReadonlySet<number> | undefined;
}
/** Returns events in order; if there are more than the limit, the oldest or the newest of them. */
export async function eventList(
  queries: Queries,
  account: AccountId,
  range: EventRange,
  which: 'oldest' | 'newest' = 'oldest',
): Promise<StoredEvent[]> {
  let query = selectWhere(queries, 'events', { account_id: account })
    .selectAll()
    .where('sequence', '>', range.after)
    .where('sequence', '<=', range.upTo);
  if (range.types !== undefined) query = query.where('type', 'in', range.types);
  if (range.service !== undefined) query = query.where('service_id', '=', range.service);
  if (range.services !== undefined) query = query.where(isOfServices(range.services));
  const rows = await query
    .orderBy('sequence', which === 'oldest' ? 'asc' : 'desc')
    .limit(range.limit)
    .execute();
  return which === 'oldest' ? rows : rows.reverse();
}

/** Events have no index by time, which every insert would pay for: an account's oldest events are its first. */
export async function accountsWithEventsBefore(queries: Queries, at: number): Promise<AccountId[]> {
  const { rows } = await sql<{ account_id: AccountId }>`
select account_id from audit_tips as account where events > 0 and (
  select at from events where account_id = account.account_id order by sequence limit 1) < ${at}`.execute(queries);
  return rows.map((row) => row.account_id);
}

/**
 * Deletes up to the given number of the account's oldest events from before this time, with their deliveries, and
 * returns how many. In batches, because a long delete would block every writer. Must run in a transaction.
 */
export async function eventsRemoveBefore(
  queries: Queries,
  account: AccountId,
  at: number,
  atMost: number,
): Promise<number> {
  const ofAccount = selectWhere(queries, 'events', { account_id: account }).select(['sequence', 'at']);
  const oldest = await ofAccount.orderBy('sequence').limit(atMost).execute();
  const firstKept = oldest.findIndex((event) => event.at >= at);
  const old = firstKept === -1 ? oldest : oldest.slice(0, firstKept);
  const last = old.at(-1);
  if (last === undefined) return 0;
  for (const table of ['deliveries', 'events'] as const) {
    await queries.deleteFrom(table).where('account_id', '=', account).where('sequence', '<=', last.sequence).execute();
  }
  return old.length;
}
