// Webhooks of an account, and the log of their deliveries.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { EventType } from '#contract/events/events.ts';
import type {
  Delivery as DeliveryShape,
  DeliveryStatus,
  Webhook as WebhookShape,
  WebhookStatus,
} from '#contract/shapes/event.ts';
import { webhookLane } from '#events/append.ts';
import { EgressError } from '#lib/egress.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import * as store from '#store/work/webhooks.ts';
import { webhookEvents } from '#store/work/webhooks.ts';
import type { Context, App } from '../app.ts';
import { eventId } from './events.ts';

const webhooksPerAccount = 20;
const secretBytes = 32;
const defaultOverlapSeconds = 86_400;
const defaultPage = 100;

export async function webhookGet(context: Context, id: number | undefined): Promise<Static<typeof WebhookShape>[]> {
  const { queries, caller, app } = context;
  const webhooks =
    id === undefined ? await store.webhookList(queries, caller.account) : [await requireWebhook(context, id)];
  return webhooks.map((webhook) => webhookShape(webhook, app.clock.now()));
}

/** Called before the transaction, which must not wait for name servers. */
export async function checkUrl(app: App, field: string, url: string): Promise<void> {
  try {
    await app.egress.check(url);
  } catch (error) {
    if (error instanceof EgressError) throw invalid({ [field]: error.message });
    throw error;
  }
}

export interface WebhookFields {
  readonly url: string;
  readonly events?: readonly EventType[];
  readonly description?: string;
}

export async function webhookCreate(context: Context, fields: WebhookFields): Promise<{ id: string; secret: string }> {
  const { queries, caller, app } = context;
  if ((await store.webhookList(queries, caller.account)).length >= webhooksPerAccount)
    throw new ApiError('state_conflict', {
      message: `An account can have at most ${webhooksPerAccount} webhooks. Delete one first.`,
    });
  const secret = createSecret();
  const id = await store.webhookInsert(queries, {
    account_id: caller.account,
    url: new URL(fields.url).href,
    description: fields.description ?? '',
    events: webhookEvents.encode([...new Set(fields.events ?? [])]),
    status: 'Active',
    reason: '',
    secret: '',
    previous_secret: null,
    previous_until: null,
    created_at: app.clock.now(),
  });
  // Sealed for its own row, whose id is known only now.
  await store.webhookUpdate(queries, caller.account, id, { secret: app.secrets.seal(secret, webhookSealContext(id)) });
  return { id: String(id), secret };
}

export interface WebhookChange extends Partial<WebhookFields> {
  readonly status?: WebhookStatus;
  readonly rotate?: boolean;
  readonly overlap?: number;
}

export async function webhookUpdate(
  context: Context,
  id: number,
  change: WebhookChange,
): Promise<{ id: string; secret: string }> {
  const { queries, caller, app } = context;
  const webhook = await requireWebhook(context, id);
  if (change.rotate !== true && change.overlap !== undefined) throw invalid({ overlap: 'requires rotate' });
  const secret = change.rotate === true ? createSecret() : undefined;
  const values = {
    ...(change.url === undefined ? {} : { url: new URL(change.url).href }),
    ...(change.events === undefined ? {} : { events: webhookEvents.encode([...new Set(change.events)]) }),
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.status === undefined
      ? {}
      : { status: change.status, reason: change.status === 'Off' ? 'Disabled by the account' : '' }),
    ...(secret === undefined
      ? {}
      : {
          secret: app.secrets.seal(secret, webhookSealContext(id)),
          previous_secret: webhook.secret,
          previous_until: app.clock.now() + (change.overlap ?? defaultOverlapSeconds) * 1000,
        }),
  };
  if (Object.keys(values).length === 0)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Send at least one parameter to update.' });
  await store.webhookUpdate(queries, caller.account, id, values);
  if (change.status === 'Active' || change.url !== undefined) await resumeDeliveries(context, id);
  return { id: String(id), secret: secret ?? '' };
}

/** Deliveries that were pending when the webhook was disabled, or for the old URL, are due immediately. */
async function resumeDeliveries({ queries, app }: Context, id: number): Promise<void> {
  for (const lane of await store.deliveriesMakeDue(queries, id, app.clock.now()))
    await app.queue.enqueue(queries, webhookLane, { webhook: id, lane });
}

export async function webhookDelete(context: Context, id: number): Promise<void> {
  if (!(await store.webhookRemove(context.queries, context.caller.account, id))) throw new ApiError('not_found');
}

export interface DeliveryQuery {
  readonly webhook?: number;
  readonly status?: DeliveryStatus;
  readonly limit?: number;
  readonly before?: number;
}

export async function deliveryGet(context: Context, query: DeliveryQuery): Promise<Static<typeof DeliveryShape>[]> {
  if (query.webhook !== undefined) await requireWebhook(context, query.webhook);
  const deliveries = await store.deliveryList(context.queries, context.caller.account, {
    webhook: query.webhook,
    status: query.status,
    before: query.before,
    limit: query.limit ?? defaultPage,
  });
  return deliveries.map(deliveryShape);
}

/** Creates a new delivery at the end of its lane, so that the log keeps the outcome of the first. */
export async function deliveryReplay(context: Context, id: number): Promise<{ id: string }> {
  const { queries, caller, app } = context;
  const delivery = await store.deliveryFind(queries, caller.account, id);
  if (delivery === undefined) throw new ApiError('not_found');
  const webhook = await requireWebhook(context, delivery.webhook_id);
  if (webhook.status === 'Off')
    throw new ApiError('state_conflict', { message: 'The webhook is disabled. Enable it first.' });
  if (delivery.status === 'Pending')
    throw new ApiError('state_conflict', { message: 'The delivery is still pending.' });
  const { account_id, webhook_id, lane, sequence } = delivery;
  const [replay] = await store.deliveryInsert(queries, [
    { account_id, webhook_id, lane, sequence, replay_of: id, created_at: app.clock.now() },
  ]);
  await app.queue.enqueue(queries, webhookLane, { webhook: webhook_id, lane });
  return { id: String(replay) };
}

/** Returns the secrets that sign now: the current one, and the previous one during the overlap. */
export function signingSecrets(app: Pick<App, 'secrets' | 'clock'>, webhook: store.Webhook): string[] {
  const sealed = [webhook.secret];
  if (webhook.previous_secret !== null && app.clock.now() < (webhook.previous_until ?? 0))
    sealed.push(webhook.previous_secret);
  return sealed.map((secret) => app.secrets.open(secret, webhookSealContext(webhook.id)));
}

function createSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

export function webhookSealContext(webhook: number): string {
  return `webhooks secret ${webhook}`;
}

async function requireWebhook(context: Context, id: number): Promise<store.Webhook> {
  const webhook = await store.webhookFind(context.queries, context.caller.account, id);
  if (webhook === undefined) throw new ApiError('not_found');
  return webhook;
}

function webhookShape(webhook: store.Webhook, now: number): Static<typeof WebhookShape> {
  const until = webhook.previous_until;
  return {
    id: String(webhook.id),
    url: webhook.url,
    description: webhook.description,
    events: webhookEvents.decode(webhook.events),
    status: webhook.status,
    reason: webhook.reason,
    created: timeText(webhook.created_at),
    overlapends: until !== null && until > now ? timeText(until) : '',
  };
}

function deliveryShape(delivery: store.DeliveryWithEvent): Static<typeof DeliveryShape> {
  return {
    id: String(delivery.id),
    webhook: String(delivery.webhook_id),
    event: eventId(delivery.account_id, delivery.sequence),
    type: delivery.type,
    service: delivery.lane === 0 ? '' : String(delivery.lane),
    status: delivery.status,
    attempts: String(delivery.attempts),
    answer: delivery.answer === null ? '' : String(delivery.answer),
    error: delivery.error,
    created: timeText(delivery.created_at),
    last: delivery.last_at === null ? '' : timeText(delivery.last_at),
    next: delivery.status === 'Pending' ? timeText(delivery.next_at) : '',
    replayof: delivery.replay_of === null ? '' : String(delivery.replay_of),
  };
}
