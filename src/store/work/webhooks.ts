// Webhooks and their deliveries. Deliveries of one lane arrive in order: a lane is all deliveries of one webhook about
// one service, and lane 0 those about none. The oldest pending delivery of a lane is its head; nothing overtakes it.
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { Type } from 'typebox';
import type { DeliveryStatus } from '#contract/shapes/event.ts';
import { affectsRows, deleteWhere, planEachTime, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { DeliveryTable, WebhookTable } from './tables.ts';

/** Event types to send; an empty list sends all. */
export const webhookEvents = jsonColumn('webhooks.events', Type.Array(Type.String()));

export type Webhook = Selectable<WebhookTable>;
export type Delivery = Selectable<DeliveryTable>;
export type DeliveryWithEvent = Awaited<ReturnType<typeof deliveryList>>[number];
export interface Lane {
  readonly webhook: number;
  readonly lane: number;
}

export async function webhookList(queries: Queries, account: AccountId): Promise<Webhook[]> {
  return queries.selectFrom('webhooks').selectAll().where('account_id', '=', account).orderBy('id').execute();
}

export async function webhookFind(queries: Queries, account: AccountId, id: number): Promise<Webhook | undefined> {
  return selectWhere(queries, 'webhooks', { account_id: account, id }).selectAll().executeTakeFirst();
}

export async function webhookInsert(queries: Queries, webhook: Insertable<WebhookTable>): Promise<number> {
  const row = await queries.insertInto('webhooks').values(webhook).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export async function webhookUpdate(
  queries: Queries,
  account: AccountId,
  id: number,
  change: Updateable<WebhookTable>,
): Promise<void> {
  await queries.updateTable('webhooks').set(change).where('account_id', '=', account).where('id', '=', id).execute();
}

/** Returns false if the webhook has another URL by now. Otherwise it keeps this one until the transaction ends. */
export async function webhookKeepUrl(
  queries: Queries,
  { account_id, id, url }: Pick<Webhook, 'account_id' | 'id' | 'url'>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'webhooks', { account_id, id, url }).set({ url }).returning('id'));
}

export async function webhookRemove(queries: Queries, account: AccountId, id: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'webhooks', { account_id: account, id }).returning('id'));
}

const unsent = { status: 'Pending', attempts: 0, error: '' } as const;
export type NewDelivery = Omit<Delivery, 'id' | 'next_at' | 'last_at' | 'answer' | keyof typeof unsent>;
export async function deliveryInsert(queries: Queries, deliveries: readonly NewDelivery[]): Promise<number[]> {
  const rows = deliveries.map((delivery) => ({ ...delivery, ...unsent, next_at: delivery.created_at }));
  const inserted = await queries.insertInto('deliveries').values(rows).returning('id').execute();
  return inserted.map(({ id }) => id);
}

export async function deliveryFind(queries: Queries, account: AccountId, id: number): Promise<Delivery | undefined> {
  return selectWhere(queries, 'deliveries', { account_id: account, id }).selectAll().executeTakeFirst();
}

export interface DeliveryPage {
  readonly webhook: number | undefined;
  readonly status: DeliveryStatus | undefined;
  readonly before: number | undefined;
  readonly limit: number;
  /** Only deliveries of events of these services, and of none. */
  readonly services: ReadonlySet<number> | undefined;
}
export async function deliveryList(queries: Queries, account: AccountId, page: DeliveryPage) {
  let query = withEvents(queries).where('deliveries.account_id', '=', account);
  if (page.webhook !== undefined) query = query.where('deliveries.webhook_id', '=', page.webhook);
  if (page.status !== undefined) query = query.where('deliveries.status', '=', page.status);
  if (page.before !== undefined) query = query.where('deliveries.id', '<', page.before);
  if (page.services !== undefined) query = query.where('deliveries.lane', 'in', [0, ...page.services]);
  return planEachTime(query.orderBy('deliveries.id', 'desc').limit(page.limit)).execute();
}

/**
 * Returns the oldest pending delivery of the lane, due or not, with its webhook; undefined if there is none or the
 * webhook is off.
 */
export async function laneHead(
  queries: Queries,
  { webhook: id, lane }: Lane,
): Promise<{ webhook: Webhook; delivery: DeliveryWithEvent } | undefined> {
  const webhook = await selectWhere(queries, 'webhooks', { id, status: 'Active' }).selectAll().executeTakeFirst();
  if (webhook === undefined) return undefined;
  const delivery = await withEvents(queries)
    .where('deliveries.webhook_id', '=', id)
    .where('deliveries.lane', '=', lane)
    // Written out, so that the planner recognizes the partial index.
    .where(sql<boolean>`deliveries.status = 'Pending'`)
    .orderBy('deliveries.id')
    .limit(1)
    .executeTakeFirst();
  return delivery === undefined ? undefined : { webhook, delivery };
}

export async function deliveryUpdate(queries: Queries, id: number, change: Updateable<DeliveryTable>): Promise<void> {
  await queries.updateTable('deliveries').set(change).where('id', '=', id).execute();
}

/** Makes all pending deliveries of this webhook due, and returns their lanes. */
export async function deliveriesMakeDue(queries: Queries, webhook: number, now: number): Promise<number[]> {
  const rows = await updateWhere(queries, 'deliveries', { webhook_id: webhook, status: 'Pending' })
    .set({ next_at: now })
    .returning('lane')
    .execute();
  return [...new Set(rows.map((row) => row.lane))];
}

function withEvents(queries: Queries) {
  return queries
    .selectFrom('deliveries')
    .innerJoin('events', (join) =>
      join
        .onRef('events.account_id', '=', 'deliveries.account_id')
        .onRef('events.sequence', '=', 'deliveries.sequence'),
    )
    .selectAll('deliveries')
    .select(['events.type', 'events.version', 'events.service_id', 'events.data', 'events.at']);
}
