// The event log: a sequence per account without gaps, in commit order. The next number comes from the account's row in
// `audit_tips`, which stays locked until the transaction ends, so whoever has read up to a number has read everything
// below it.
import { sql, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import { firstHash } from '../account/tables.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { EventTable } from './tables.ts';

export const eventData = jsonColumn('events.data', Type.Object({}));

export type StoredEvent = Selectable<EventTable>;
export type NewEvent = Omit<StoredEvent, 'sequence'>;

/** Counts the account's active webhooks, in a query that reads its row anyway. */
export function activeWebhooks(account: AccountId) {
  return sql<number>`(select count(*) from webhooks where account_id = ${account} and status = 'Active')`;
}

const takeNumber = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .insertInto('audit_tips')
    .values({ account_id: values.account, hash: firstHash, events: 1 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ events: set('audit_tips.events', '+', 1) })),
    )
    .returning(['events', activeWebhooks(values.account).as('webhooks')]),
);
const insertEvent = prepared((queries: Queries, values: StoredEvent) =>
  queries
    .insertInto('events')
    .values({
      account_id: values.account_id,
      sequence: values.sequence,
      type: values.type,
      version: values.version,
      service_id: values.service_id,
      data: values.data,
      at: values.at,
    })
    .returning('sequence'),
);

/** Must run in a transaction. */
export async function eventInsert(
  queries: Queries,
  event: NewEvent,
): Promise<{ events: StoredEvent[]; webhooks: number }> {
  const tip = (await takeNumber(queries, { account: event.account_id }))[0]!;
  const numbered = { ...event, sequence: tip.events };
  await eventInsertNumbered(queries, numbered);
  return { events: [numbered], webhooks: tip.webhooks };
}

/** Inserts several events of one account in order. Must run in a transaction. */
export async function eventsInsert(
  queries: Queries,
  account: AccountId,
  events: readonly NewEvent[],
): Promise<{ events: StoredEvent[]; webhooks: number }> {
  const tip = await queries
    .insertInto('audit_tips')
    .values({ account_id: account, hash: firstHash, events: events.length })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ events: set('audit_tips.events', '+', events.length) })),
    )
    .returning(['events', activeWebhooks(account).as('webhooks')])
    .executeTakeFirstOrThrow();
  const first = tip.events - events.length + 1;
  const numbered = events.map((event, index) => ({ ...event, sequence: first + index }));
  await queries.insertInto('events').values(numbered).execute();
  return { events: numbered, webhooks: Number(tip.webhooks) };
}

/** Inserts an event that the caller has numbered itself while it holds the account's row. */
export async function eventInsertNumbered(queries: Queries, event: StoredEvent): Promise<void> {
  await insertEvent(queries, event);
}

/** Returns the number of the account's last event, or 0 if there is none. */
export async function eventTip(queries: Queries, account: AccountId): Promise<number> {
  const row = await queries
    .selectFrom('audit_tips')
    .select('events')
    .where('account_id', '=', account)
    .executeTakeFirst();
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
}
/** Returns events in order; if there are more than the limit, the oldest or the newest of them. */
export async function eventList(
  queries: Queries,
  account: AccountId,
  range: EventRange,
  which: 'oldest' | 'newest' = 'oldest',
): Promise<StoredEvent[]> {
  let query = queries
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', account)
    .where('sequence', '>', range.after)
    .where('sequence', '<=', range.upTo);
  if (range.types !== undefined) query = query.where('type', 'in', range.types);
  if (range.service !== undefined) query = query.where('service_id', '=', range.service);
  const rows = await query
    .orderBy('sequence', which === 'oldest' ? 'asc' : 'desc')
    .limit(range.limit)
    .execute();
  return which === 'oldest' ? rows : rows.reverse();
}
