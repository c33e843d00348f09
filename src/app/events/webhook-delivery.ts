// Sends deliveries: POST with a Standard Webhooks signature, in order within a lane. A failed delivery blocks its lane
// until it succeeds or is given up; the delivery, not the job, keeps count of attempts.
import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { webhookLane, type LaneWork } from '#events/append.ts';
import { createAccountShares } from '#queue/account-shares.ts';
import { jobWorker, type JobAttempt, type JobWorker } from '#queue/queue.ts';
import { BoundedMap } from '#lib/bounded-map.ts';
import { EgressError } from '#lib/egress.ts';
import { hookSecret, signedHookHeaders } from '#lib/hook-signature.ts';
import { timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';
import {
  deliveryUpdate,
  laneHead,
  webhookKeepUrl,
  webhookUpdate,
  type DeliveryWithEvent,
  type Webhook,
} from '#store/work/webhooks.ts';
import type { App } from '../app.ts';
import { eventValue } from './events.ts';
import { signingSecrets } from './webhooks.ts';

const minute = 60;
const hour = 60 * minute;
/** Delays before the second, third, … attempt: thirteen attempts over a little more than three days. */
const retryAfterSeconds = [
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  16 * hour,
  20 * hour,
  24 * hour,
];
/** A delay is up to this much longer, so that deliveries that failed together are not retried together. */
const jitter = 0.2;
const responseTimeoutMs = 10_000;
const timeoutText = 'did not respond within 10 seconds';
/** One job sends what is pending, but does not occupy its slot for ever. */
const maxJobMs = 60_000;
const excerptLength = 200;
/** The status has arrived: a receiver that sends the rest slowly must not occupy a slot meanwhile. */
const excerptMs = 500;
const goneStatus = 410;
/**
 * An account with a receiver that responded late or not at all sends this many at once for a while, so that the others of this
 * process are not kept waiting for it.
 */
const lanesWhileSlow = 10;
const lateMs = 2000;
const slowMs = 60_000;
const shareRetryMs = 5000;
const maxSlowAccounts = 10_000;

type WebhookDeps = Pick<App, 'store' | 'queue' | 'clock' | 'secrets' | 'egress'>;
type AgentOf = (account: AccountId) => Promise<Agent>;
interface Head {
  readonly webhook: Webhook;
  readonly delivery: DeliveryWithEvent;
}
interface Outcome {
  readonly status: number | undefined;
  /** Empty on success. */
  readonly error: string;
}

export function webhookWorker(app: WebhookDeps, delaysSeconds: readonly number[] = retryAfterSeconds): JobWorker {
  const slots = createSlots(app);
  return jobWorker(webhookLane, async (job) => {
    const until = performance.now() + maxJobMs;
    // All deliveries of a job are for one account, so they can share connections.
    let agent: Agent | undefined;
    const agentOf: AgentOf = async (account) => (agent ??= await app.egress.createAgent(account));
    try {
      while (await sendHead(app, job, { delaysSeconds, agentOf, slots })) {
        if (performance.now() < until) continue;
        const { webhook, lane } = job.payload;
        await job.complete((queries) => app.queue.enqueue(queries, webhookLane, { webhook, lane }));
        return;
      }
    } finally {
      await agent?.destroy();
    }
  });
}

interface Slots {
  /** Returns undefined if the account has to wait. */
  enter(account: AccountId): Disposable | undefined;
  markSlow(account: AccountId): void;
}
interface Sending {
  readonly delaysSeconds: readonly number[];
  readonly agentOf: AgentOf;
  readonly slots: Slots;
}

function createSlots({ clock }: Pick<App, 'clock'>): Slots {
  const shares = createAccountShares();
  const slow = new BoundedMap<AccountId, number>(maxSlowAccounts);
  return {
    enter(account) {
      const isSlow = Math.abs(clock.now() - (slow.get(account) ?? -slowMs)) < slowMs;
      return shares.enter(account, isSlow ? lanesWhileSlow : Infinity);
    },
    markSlow: (account) => slow.set(account, clock.now()),
  };
}

/**
 * Returns false if there is nothing more to send now: the lane is empty, its webhook is off, its head is not due, or its account
 * has to wait.
 */
async function sendHead(
  app: WebhookDeps,
  job: JobAttempt<LaneWork>,
  { delaysSeconds, agentOf, slots }: Sending,
): Promise<boolean> {
  const head = await laneHead(app.store.queries, job.payload);
  if (head === undefined) return false;
  const { id, attempts, next_at } = head.delivery;
  // A new one is due whatever the clocks say: that of the instance that created it may be ahead, and no other job will come.
  const isDue = attempts === 0 || next_at <= app.clock.now() || id === job.payload.retryOf;
  if (!isDue) return false;
  const { account_id: account } = head.webhook;
  using slot = slots.enter(account);
  if (slot === undefined) {
    const when = { runAt: app.clock.now() + shareRetryMs };
    await job.complete((queries) => app.queue.enqueue(queries, webhookLane, job.payload, when));
    return false;
  }
  const sentAtMs = performance.now();
  const outcome = await send(app, head, agentOf, job.signal);
  if (performance.now() - sentAtMs > lateMs) slots.markSlow(account);
  return job.publish((queries) => recordAttempt(app, queries, head, outcome, delaysSeconds));
}

async function send(
  app: WebhookDeps,
  { webhook, delivery }: Head,
  agentOf: AgentOf,
  stopping: AbortSignal,
): Promise<Outcome> {
  const event = eventValue(delivery);
  const body = JSON.stringify(event);
  const secrets = signingSecrets(app, webhook).map((secret) => hookSecret(secret)!);
  const timeout = AbortSignal.timeout(responseTimeoutMs);
  try {
    const { request } = await import('undici');
    const response = await request(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Hostyard webhooks',
        ...signedHookHeaders(secrets, event.id, app.clock.now(), body),
      },
      body,
      dispatcher: await agentOf(webhook.account_id),
      signal: AbortSignal.any([stopping, timeout]),
    });
    const isSuccess = response.statusCode >= 200 && response.statusCode < 300;
    const excerpt = await excerptOf(response.body);
    const error = isSuccess ? '' : `responded with ${response.statusCode}${excerpt === '' ? '' : `: ${excerpt}`}`;
    return { status: response.statusCode, error };
  } catch (error) {
    // The process is stopping or has lost the job: this does not count as an attempt, and another will follow.
    if (stopping.aborted) throw error;
    return { status: undefined, error: timeout.aborted ? timeoutText : reasonOf(error) };
  }
}

/** Returns why there was no response, without revealing anything about our network. */
function reasonOf(error: unknown): string {
  if (error instanceof EgressError) return error.message;
  const { code } = error as { code?: unknown };
  return `could not be reached${typeof code === 'string' ? ` (${code})` : ''}`;
}

/** Reads the start of the response, and does not wait for the rest. */
async function excerptOf(body: Readable): Promise<string> {
  const timer = setTimeout(() => body.destroy(), excerptMs);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= excerptLength) break;
    }
  } catch {
    // The status has arrived, which is all that counts.
  } finally {
    clearTimeout(timer);
  }
  return text
    .slice(0, excerptLength)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
}

/** Returns false if the lane cannot continue now. */
async function recordAttempt(
  app: WebhookDeps,
  queries: Queries,
  { webhook, delivery }: Head,
  { status, error }: Outcome,
  delaysSeconds: readonly number[],
): Promise<boolean> {
  const now = app.clock.now();
  const attempts = delivery.attempts + 1;
  const attemptColumns = { attempts, last_at: now, answer: status ?? null, error };
  // The customer has moved the webhook while we waited for the response, and the new endpoint has not failed.
  if (error !== '' && !(await webhookKeepUrl(queries, webhook))) {
    await deliveryUpdate(queries, delivery.id, { ...attemptColumns, next_at: now });
    return true;
  }
  const isGone = status === goneStatus;
  if (isGone) {
    const reason = `The endpoint responded 410 (gone) on ${timeText(now)}`;
    await webhookUpdate(queries, webhook.account_id, webhook.id, { status: 'Off', reason });
  }
  const delaySeconds = delaysSeconds[attempts - 1];
  if (error === '' || isGone || delaySeconds === undefined) {
    await deliveryUpdate(queries, delivery.id, { ...attemptColumns, status: error === '' ? 'Delivered' : 'Failed' });
    return !isGone;
  }
  const next = Math.ceil(now + delaySeconds * 1000 * (1 + jitter * Math.random()));
  await deliveryUpdate(queries, delivery.id, { ...attemptColumns, next_at: next });
  const retry = { webhook: webhook.id, lane: delivery.lane, retryOf: delivery.id };
  await app.queue.enqueue(queries, webhookLane, retry, { runAt: next });
  return false;
}
