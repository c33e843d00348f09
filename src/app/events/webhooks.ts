// Webhooks of an account, and the log of their deliveries.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import { mayConcernService } from '#contract/events/service-events.ts';
import type { Delivery as DeliveryShape, Webhook as WebhookShape } from '#contract/shapes/event.ts';
import type { webhookV2 } from '#contract/v2/webhook.ts';
import { webhookLane } from '#events/append.ts';
import { EgressError } from '#lib/egress.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/work/webhooks.ts';
import type { Context, App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { requireUnlimited } from '../dns/limits.ts';
import { mayConcernDns } from '../dns/visible-events.ts';
import { isServiceVisible } from '../services/limits.ts';
import { eventId } from './events.ts';

type NewWebhook = InputOf<(typeof webhookV2)['webhookCreate']>;
type WebhookChange = Omit<InputOf<(typeof webhookV2)['webhookUpdate']>, 'id'>;
type DeliveryQuery = InputOf<(typeof webhookV2)['deliveryGet']>;

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
export async function checkUrl(app: App, caller: Pick<Caller, 'account'>, field: string, url: string): Promise<void> {
  try {
    await app.egress.check(url, caller.account);
  } catch (error) {
    if (error instanceof EgressError) throw invalid({ [field]: error.message });
    throw error;
  }
}

export async function webhookCreate(context: Context, fields: NewWebhook): Promise<{ id: string; secret: string }> {
  const { queries, caller, app } = context;
  requireOtherEvents(caller, fields.events ?? []);
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.webhookList(queries, caller.account)).length >= webhooksPerAccount)
    throw conflict(`An account can have at most ${webhooksPerAccount} webhooks. Delete one first.`);
  const secret = createSecret();
  const id = await store.webhookInsert(queries, {
    account_id: caller.account,
    url: new URL(fields.url).href,
    description: fields.description ?? '',
    events: store.webhookEvents.encode([...new Set(fields.events ?? [])]),
    status: 'Active',
    reason: '',
    secret: '',
    previous_secret: null,
    previous_until: null,
    created_at: app.clock.now(),
    contact_id: caller.contact ?? null,
  });
  // Sealed for its own row, whose id is known only now.
  await store.webhookUpdate(queries, caller.account, id, { secret: app.secrets.seal(secret, webhookSealContext(id)) });
  return { id: String(id), secret };
}

export async function webhookUpdate(
  context: Context,
  id: number,
  change: WebhookChange,
): Promise<{ id: string; secret: string }> {
  const { queries, caller, app } = context;
  const webhook = await requireWebhook(context, id);
  requireOtherEvents(caller, store.webhookEvents.decode(webhook.events));
  if (change.events !== undefined) requireOtherEvents(caller, change.events);
  if (change.rotate !== true && change.overlap !== undefined) throw invalid({ overlap: 'requires rotate' });
  const secret = change.rotate === true ? createSecret() : undefined;
  const values = pickDefined({
    url: change.url && new URL(change.url).href,
    events: change.events && store.webhookEvents.encode([...new Set(change.events)]),
    description: change.description,
    status: change.status,
    reason: change.status && (change.status === 'Off' ? 'Disabled by the account' : ''),
    // Whoever enables it answers for it.
    contact_id: change.status === 'Active' ? (caller.contact ?? null) : undefined,
    secret: secret && app.secrets.seal(secret, webhookSealContext(id)),
    previous_secret: secret && webhook.secret,
    previous_until: secret ? app.clock.now() + (change.overlap ?? defaultOverlapSeconds) * 1000 : undefined,
  });
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

export async function deliveryGet(context: Context, query: DeliveryQuery): Promise<Static<typeof DeliveryShape>[]> {
  if (query.webhook !== undefined) await requireWebhook(context, query.webhook);
  const deliveries = await store.deliveryList(context.queries, context.caller.account, {
    webhook: query.webhook,
    status: query.status,
    before: query.before,
    limit: query.limit ?? defaultPage,
    services: context.caller.services,
  });
  return deliveries.map(deliveryShape);
}

/** Creates a new delivery at the end of its lane, so that the log keeps the outcome of the first. */
export async function deliveryReplay(context: Context, id: number): Promise<{ id: string }> {
  const { queries, caller, app } = context;
  const found = await store.deliveryFind(queries, caller.account, id);
  const delivery = requireFound(found && isLaneVisible(caller, found) ? found : undefined);
  const webhook = await requireWebhook(context, delivery.webhook_id);
  if (webhook.status === 'Off') throw conflict('The webhook is disabled. Enable it first.');
  if (delivery.status === 'Pending') throw conflict('The delivery is still pending.');
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

/** The lane of a service has its number, and that of other events 0. */
function isLaneVisible({ services }: Caller, { lane }: store.Delivery): boolean {
  return isServiceVisible(services, lane === 0 ? null : lane);
}

/** A webhook sends every event of its types, so a caller with limits cannot choose those that others are about. */
function requireOtherEvents({ dnsLimits, services }: Caller, types: readonly string[]): void {
  if (services !== undefined && (types.length === 0 || types.some(mayConcernService)))
    throw new ApiError('scope_missing', {
      message:
        'Your access is limited to certain servers, but this webhook would also receive events of others. Choose events that are not about servers.',
    });
  if (types.length === 0 || types.some(mayConcernDns))
    requireUnlimited(
      dnsLimits,
      'this webhook would also receive events of others. Choose events that are not about DNS',
    );
}

function createSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

export function webhookSealContext(webhook: number): string {
  return `webhooks secret ${webhook}`;
}

async function requireWebhook(context: Context, id: number): Promise<store.Webhook> {
  return requireFound(await store.webhookFind(context.queries, context.caller.account, id));
}

function webhookShape(webhook: store.Webhook, now: number): Static<typeof WebhookShape> {
  const until = webhook.previous_until;
  return {
    id: String(webhook.id),
    url: webhook.url,
    description: webhook.description,
    events: store.webhookEvents.decode(webhook.events),
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
    last: optionalTimeText(delivery.last_at),
    next: delivery.status === 'Pending' ? timeText(delivery.next_at) : '',
    replayof: delivery.replay_of === null ? '' : String(delivery.replay_of),
  };
}
