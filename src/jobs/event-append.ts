// Telling what happened: the event, and a delivery with its job for every webhook that wants it, all in the transaction of what
// is told. It stands in this room, below app, workflows and reconcilers, because all of them have something to tell.
import { eventKinds, type EventData, type EventType } from '#contract/events.ts';
import type { Clock } from '#kernel/clock.ts';
import { eventInsert, eventsInsert, type NewEvent, type StoredEvent } from '#store/work/events.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { deliveryInsert, webhookList, type Lane, type Webhook } from '#store/work/webhooks.ts';
import type { JobKind, Jobs } from './jobs.ts';

/** Sends what waits in one lane, in order. */
export const webhookLane: JobKind<LaneWork> = {
  name: 'webhook-lane',
  deadlineSeconds: 120,
  // Retries of deliveries are counted with the deliveries; these are for a database that does not answer.
  retries: 100,
  firstRetrySeconds: 2,
  longestRetrySeconds: 300,
  concurrency: 50,
  key: ({ webhook, lane }) => `${webhook} ${lane}`,
};
export interface LaneWork extends Lane {
  /** The delivery whose retry this is: its time has come, whatever the clock of this node says. */
  readonly retryOf?: number;
}

export interface AppendedEvent<T extends EventType> {
  readonly account: AccountId;
  readonly type: T;
  readonly service?: number;
  readonly data: EventData<T>;
}

/** One of any kind, its data that of its kind. */
export type AnyAppendedEvent = { [T in EventType]: AppendedEvent<T> }[EventType];

export interface AppendParts {
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
}

/** In the caller's transaction. What a request tells goes through its context instead, and is written with its audit entry. */
export async function eventAppend<T extends EventType>(
  parts: AppendParts,
  queries: Queries,
  event: AppendedEvent<T>,
): Promise<void> {
  const { events, webhooks } = await eventInsert(queries, eventRow(parts.clock, event));
  if (webhooks > 0) await eventsDeliver(parts, queries, events);
}

/** Many at once, of any accounts: their order within an account is kept. Accounts are taken in one order, so that of two
 * transactions none holds what the other waits for. */
export async function eventsAppend(
  parts: AppendParts,
  queries: Queries,
  events: readonly AnyAppendedEvent[],
): Promise<void> {
  const byAccount = [...Map.groupBy(events, ({ account }) => account)].toSorted(([one], [other]) => one - other);
  for (const [account, own] of byAccount) {
    const rows = own.map((event) => eventRow(parts.clock, event));
    const { events: stored, webhooks } = await eventsInsert(queries, account, rows);
    if (webhooks > 0) await eventsDeliver(parts, queries, stored);
  }
}

export function eventRow<T extends EventType>(clock: Clock, event: AppendedEvent<T>): NewEvent {
  const { account, type, service, data } = event;
  return {
    account_id: account,
    type,
    version: eventKinds[type].version,
    service_id: service ?? null,
    data: JSON.stringify(data),
    at: clock.now(),
  };
}

/** Deliveries of these events, all of one account, with their jobs. */
export async function eventsDeliver(
  { jobs, clock }: AppendParts,
  queries: Queries,
  events: readonly StoredEvent[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const webhooks = (await webhookList(queries, first.account_id)).filter(({ status }) => status === 'Active');
  const deliveries = events.flatMap(({ account_id, sequence, service_id, type }) =>
    webhooks
      .filter((webhook) => wants(webhook, type))
      .map(({ id }) => ({
        account_id,
        webhook_id: id,
        lane: service_id ?? 0,
        sequence,
        replay_of: null,
        created_at: clock.now(),
      })),
  );
  if (deliveries.length === 0) return;
  await deliveryInsert(queries, deliveries);
  for (const { webhook_id, lane } of deliveries)
    await jobs.enqueue(queries, webhookLane, { webhook: webhook_id, lane });
}

function wants(webhook: Webhook, type: string): boolean {
  const wanted = JSON.parse(webhook.events) as string[];
  return wanted.length === 0 || wanted.includes(type);
}
