// The webhooks of an account, and the log of what was sent to them.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { EventType } from '#contract/events.ts';
import type {
  Delivery as DeliveryShape,
  DeliveryStatus,
  Webhook as WebhookShape,
  WebhookStatus,
} from '#contract/shapes/event.ts';
import { webhookLane } from '#jobs/event-append.ts';
import { DialRefused } from '#kernel/dialling.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import * as store from '#store/work/webhooks.ts';
import { eventId } from './events.ts';
import type { Context, Yard } from '../yard.ts';

const webhooksPerAccount = 20;
const secretBytes = 32;
const defaultOverlapSeconds = 86_400;
const defaultPage = 100;

export async function webhookGet(context: Context, id: number | undefined): Promise<Static<typeof WebhookShape>[]> {
  const { queries, caller, yard } = context;
  const webhooks = id === undefined ? await store.webhookList(queries, caller.account) : [await found(context, id)];
  return webhooks.map((webhook) => shown(webhook, yard.clock.now()));
}

/** Before the transaction, which is no place to wait for name servers. */
export async function checkDialled(yard: Yard, field: string, url: string): Promise<void> {
  try {
    await yard.dialling.check(url);
  } catch (error) {
    if (error instanceof DialRefused) throw invalid({ [field]: error.message });
    throw error;
  }
}

export interface WebhookFields {
  readonly url: string;
  readonly events?: readonly EventType[];
  readonly description?: string;
}

export async function webhookCreate(context: Context, fields: WebhookFields): Promise<{ id: string; secret: string }> {
  const { queries, caller, yard } = context;
  if ((await store.webhookList(queries, caller.account)).length >= webhooksPerAccount)
    throw new Fault('state_conflict', { message: `An account has at most ${webhooksPerAccount} webhooks.` });
  const secret = makeSecret();
  const id = await store.webhookInsert(queries, {
    account_id: caller.account,
    url: new URL(fields.url).href,
    description: fields.description ?? '',
    events: JSON.stringify([...new Set(fields.events ?? [])]),
    status: 'Active',
    reason: '',
    secret: '',
    previous_secret: null,
    previous_until: null,
    created_at: yard.clock.now(),
  });
  // Sealed for its own row, whose number is known only now.
  await store.webhookUpdate(queries, caller.account, id, { secret: yard.secrets.seal(secret, webhookSealContext(id)) });
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
  const { queries, caller, yard } = context;
  const webhook = await found(context, id);
  if (change.rotate !== true && change.overlap !== undefined) throw invalid({ overlap: 'goes with rotate' });
  const secret = change.rotate === true ? makeSecret() : undefined;
  const values = {
    ...(change.url === undefined ? {} : { url: new URL(change.url).href }),
    ...(change.events === undefined ? {} : { events: JSON.stringify([...new Set(change.events)]) }),
    ...(change.description === undefined ? {} : { description: change.description }),
    ...(change.status === undefined
      ? {}
      : { status: change.status, reason: change.status === 'Off' ? 'Switched off by the account' : '' }),
    ...(secret === undefined
      ? {}
      : {
          secret: yard.secrets.seal(secret, webhookSealContext(id)),
          previous_secret: webhook.secret,
          previous_until: yard.clock.now() + (change.overlap ?? defaultOverlapSeconds) * 1000,
        }),
  };
  if (Object.keys(values).length === 0)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  await store.webhookUpdate(queries, caller.account, id, values);
  if (change.status === 'Active' || change.url !== undefined) await goOn(context, id);
  return { id: String(id), secret: secret ?? '' };
}

/** What was waiting when the webhook went off, or for the old URL, need not wait any longer. */
async function goOn({ queries, yard }: Context, id: number): Promise<void> {
  for (const lane of await store.deliveriesHurry(queries, id, yard.clock.now()))
    await yard.jobs.enqueue(queries, webhookLane, { webhook: id, lane });
}

export async function webhookDelete(context: Context, id: number): Promise<void> {
  if (!(await store.webhookRemove(context.queries, context.caller.account, id))) throw new Fault('not_found');
}

export interface DeliveryQuery {
  readonly webhook?: number;
  readonly status?: DeliveryStatus;
  readonly limit?: number;
  readonly before?: number;
}

export async function deliveryGet(context: Context, query: DeliveryQuery): Promise<Static<typeof DeliveryShape>[]> {
  if (query.webhook !== undefined) await found(context, query.webhook);
  const deliveries = await store.deliveryList(context.queries, context.caller.account, {
    webhook: query.webhook,
    status: query.status,
    before: query.before,
    limit: query.limit ?? defaultPage,
  });
  return deliveries.map(shownDelivery);
}

/** A delivery of its own, at the end of its lane: the log keeps what became of the first. */
export async function deliveryReplay(context: Context, id: number): Promise<{ id: string }> {
  const { queries, caller, yard } = context;
  const delivery = await store.deliveryFind(queries, caller.account, id);
  if (delivery === undefined) throw new Fault('not_found');
  const webhook = await found(context, delivery.webhook_id);
  if (webhook.status === 'Off')
    throw new Fault('state_conflict', { message: 'The webhook is off; switch it on first.' });
  if (delivery.status === 'Pending') throw new Fault('state_conflict', { message: 'It is still to be sent.' });
  const { account_id, webhook_id, lane, sequence } = delivery;
  const [replay] = await store.deliveryInsert(queries, [
    { account_id, webhook_id, lane, sequence, replay_of: id, created_at: yard.clock.now() },
  ]);
  await yard.jobs.enqueue(queries, webhookLane, { webhook: webhook_id, lane });
  return { id: String(replay) };
}

/** The secrets that sign now: the present one, and the one before it while the overlap lasts. */
export function signingSecrets(yard: Pick<Yard, 'secrets' | 'clock'>, webhook: store.Webhook): string[] {
  const sealed = [webhook.secret];
  if (webhook.previous_secret !== null && yard.clock.now() < (webhook.previous_until ?? 0))
    sealed.push(webhook.previous_secret);
  return sealed.map((one) => yard.secrets.open(one, webhookSealContext(webhook.id)));
}

function makeSecret(): string {
  return `whsec_${randomBytes(secretBytes).toString('base64')}`;
}

export function webhookSealContext(webhook: number): string {
  return `webhooks secret ${webhook}`;
}

async function found(context: Context, id: number): Promise<store.Webhook> {
  const webhook = await store.webhookFind(context.queries, context.caller.account, id);
  if (webhook === undefined) throw new Fault('not_found');
  return webhook;
}

function shown(webhook: store.Webhook, now: number): Static<typeof WebhookShape> {
  const until = webhook.previous_until;
  return {
    id: String(webhook.id),
    url: webhook.url,
    description: webhook.description,
    events: JSON.parse(webhook.events) as string[],
    status: webhook.status,
    reason: webhook.reason,
    created: momentText(webhook.created_at),
    overlapends: until !== null && until > now ? momentText(until) : '',
  };
}

function shownDelivery(delivery: store.DeliveryWithEvent): Static<typeof DeliveryShape> {
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
    created: momentText(delivery.created_at),
    last: delivery.last_at === null ? '' : momentText(delivery.last_at),
    next: delivery.status === 'Pending' ? momentText(delivery.next_at) : '',
    replayof: delivery.replay_of === null ? '' : String(delivery.replay_of),
  };
}
