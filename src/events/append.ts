// Emits events: writes the event, a delivery with its job for every interested webhook, and the messages to people, all in
// the transaction of the change. It is a separate module below app, workflows and reconcilers, because all of them emit events.
import { eventKinds, type EventData, type EventType } from '#contract/events/events.ts';
import { grantedScopes } from '#contract/scopes.ts';
import type { Clock } from '#lib/clock.ts';
import { contactFind } from '#store/account/contacts.ts';
import { serviceLimits } from '#store/account/service-limits.ts';
import { eventsInsert, type Channels, type NewEvent, type StoredEvent, eventData } from '#store/work/events.ts';
import type { Queries } from '#store/store.ts';
import {
  deliveryInsert,
  webhookEvents,
  webhookList,
  webhookUpdate,
  type Lane,
  type NewDelivery,
  type Webhook,
} from '#store/work/webhooks.ts';
import type { JobKind, Queue } from '#queue/queue.ts';
import type { AccountId } from '#store/account-id.ts';
import { enqueueMails, isWithin } from './mail.ts';

/** Sends the pending deliveries of one lane, in order. */
export const webhookLane: JobKind<LaneWork> = {
  name: 'webhook-lane',
  deadlineSeconds: 120,
  // Retries of deliveries are counted by the deliveries; these are for an unavailable database.
  retries: 100,
  firstRetrySeconds: 2,
  maxRetrySeconds: 300,
  concurrency: 50,
  key: ({ webhook, lane }) => `${webhook} ${lane}`,
};
export interface LaneWork extends Lane {
  /** The delivery that this job retries: it is due, whatever the clock of this instance says. */
  readonly retryOf?: number;
}

export interface EventInput<T extends EventType> {
  readonly account: AccountId;
  readonly type: T;
  readonly service?: number;
  readonly data: EventData<T>;
}

/** An event of any type, with the data of that type. */
export type AnyEventInput = { [T in EventType]: EventInput<T> }[EventType];

export interface AppendParts {
  readonly queue: Pick<Queue, 'enqueue'>;
  readonly clock: Clock;
}

/**
 * Must run in the caller's transaction. Requests emit through their context instead, which writes events with the
 * audit entry.
 */
export async function appendEvent<T extends EventType>(
  parts: AppendParts,
  queries: Queries,
  event: EventInput<T>,
): Promise<void> {
  const { events, channels } = await eventsInsert(queries, event.account, [eventRow(parts.clock, event)]);
  await notifyOf(parts, queries, events, channels);
}

/**
 * Appends many events of any accounts, in order within each account. Accounts are locked in one order, so that no two
 * transactions wait for each other.
 */
export async function appendEvents(
  parts: AppendParts,
  queries: Queries,
  events: readonly AnyEventInput[],
): Promise<void> {
  const byAccount = [...Map.groupBy(events, ({ account }) => account)].toSorted(([left], [right]) => left - right);
  for (const [account, own] of byAccount) {
    const rows = own.map((event) => eventRow(parts.clock, event));
    const { events: stored, channels } = await eventsInsert(queries, account, rows);
    await notifyOf(parts, queries, stored, channels);
  }
}

export function eventRow<T extends EventType>(clock: Clock, event: EventInput<T>): NewEvent {
  const { account, type, service, data } = event;
  return {
    account_id: account,
    type,
    version: eventKinds[type].version,
    service_id: service ?? null,
    data: eventData.encode(data),
    at: clock.now(),
  };
}

/** Enqueues what follows from these events, all of one account. */
export async function notifyOf(
  parts: AppendParts,
  queries: Queries,
  events: readonly StoredEvent[],
  { webhooks, mail }: Channels,
): Promise<void> {
  if (webhooks > 0) await enqueueDeliveries(parts, queries, events);
  if (mail !== null) await enqueueMails(parts, queries, events);
}

async function enqueueDeliveries(
  { queue, clock }: AppendParts,
  queries: Queries,
  events: readonly StoredEvent[],
): Promise<void> {
  const [first] = events;
  if (first === undefined) return;
  const deliveries: NewDelivery[] = [];
  for (const webhook of (await webhookList(queries, first.account_id)).filter(({ status }) => status === 'Active')) {
    const wanted = events.filter(({ type }) => isWanted(webhook, type));
    const isVisible = wanted.length === 0 ? undefined : await findVisibility(queries, webhook);
    for (const event of wanted.filter((candidate) => isVisible?.(candidate) === true)) {
      const { account_id, sequence, service_id } = event;
      const of = { account_id, webhook_id: webhook.id, lane: service_id ?? 0, sequence };
      deliveries.push({ ...of, replay_of: null, created_at: clock.now() });
    }
  }
  if (deliveries.length === 0) return;
  await deliveryInsert(queries, deliveries);
  for (const { webhook_id, lane } of deliveries)
    await queue.enqueue(queries, webhookLane, { webhook: webhook_id, lane });
}

/** Returns which events the person behind a webhook may see now. A person without access also loses the webhook. */
async function findVisibility(
  queries: Queries,
  { id, account_id, contact_id }: Webhook,
): Promise<((event: StoredEvent) => boolean) | undefined> {
  if (contact_id === null) return () => true;
  const person = await contactFind(queries, account_id, contact_id);
  const scopes = grantedScopes(person?.subaccount === 1 ? person.permissions.split(',') : []);
  if (person?.status !== 'Active' || !scopes.has('webhook:write')) {
    const reason = 'The person who created it no longer has access. Enable it again to take it over.';
    await webhookUpdate(queries, account_id, id, { status: 'Off', reason });
    return undefined;
  }
  const services = serviceLimits.decode(person.services);
  return (event) => services === undefined || isWithin(services, event);
}

function isWanted(webhook: Webhook, type: string): boolean {
  const types = webhookEvents.decode(webhook.events);
  return types.length === 0 || types.includes(type);
}
