// Sends deliveries: POST, signed as Standard Webhooks says, in order within a lane. A delivery that fails holds its lane back
// until it is through or given up; how often and when it is tried again stands in the delivery, not in the job.
import { Webhook as Signer } from 'standardwebhooks';
import { webhookLane, type LaneWork } from '#jobs/event-append.ts';
import { jobWorker, type JobAttempt, type JobWorker } from '#jobs/jobs.ts';
import { DialRefused } from '#kernel/dialling.ts';
import { momentText } from '#kernel/moments.ts';
import type { Queries } from '#store/store.ts';
import { deliveryUpdate, laneHead, webhookUpdate, type DeliveryWithEvent, type Webhook } from '#store/work/webhooks.ts';
import { eventValue } from './events.ts';
import { signingSecrets } from './webhooks.ts';
import type { Yard } from '../yard.ts';

const minute = 60;
const hour = 60 * minute;
/** Waits before the second, third, … attempt: thirteen attempts over a little more than three days. */
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
/** A wait is up to this much longer, so that what failed together does not come back together. */
const jitter = 0.2;
const answerWithinMs = 10_000;
/** One job sends what it finds, but does not keep its place for ever. */
const longestTurnMs = 60_000;
const excerptLength = 200;
const gone = 410;

type Parts = Pick<Yard, 'store' | 'jobs' | 'clock' | 'secrets' | 'dialling'>;
interface Head {
  readonly webhook: Webhook;
  readonly delivery: DeliveryWithEvent;
}
interface Outcome {
  readonly answer: number | undefined;
  /** Empty: it is through. */
  readonly error: string;
}

export function webhookWorker(yard: Parts, waitsSeconds: readonly number[] = retryAfterSeconds): JobWorker {
  return jobWorker(webhookLane, async (job) => {
    const until = performance.now() + longestTurnMs;
    while (await sendHead(yard, job, waitsSeconds)) {
      if (performance.now() < until) continue;
      const { webhook, lane } = job.payload;
      await job.complete((queries) => yard.jobs.enqueue(queries, webhookLane, { webhook, lane }));
      return;
    }
  });
}

/** False where there is nothing more to send now: the lane is empty, its webhook is off, or its head waits. */
async function sendHead(yard: Parts, job: JobAttempt<LaneWork>, waitsSeconds: readonly number[]): Promise<boolean> {
  const head = await laneHead(yard.store.queries, job.payload);
  if (head === undefined) return false;
  const due = head.delivery.next_at <= yard.clock.now() || head.delivery.id === job.payload.retryOf;
  if (!due) return false;
  const outcome = await attempt(yard, head, job.signal);
  return job.publish((queries) => record(yard, queries, head, outcome, waitsSeconds));
}

async function attempt(yard: Parts, { webhook, delivery }: Head, stopping: AbortSignal): Promise<Outcome> {
  const event = eventValue(delivery);
  const body = JSON.stringify(event);
  const at = new Date(yard.clock.now());
  const signatures = signingSecrets(yard, webhook).map((secret) => new Signer(secret).sign(event.id, at, body));
  const tooLate = AbortSignal.timeout(answerWithinMs);
  try {
    const { request } = await import('undici');
    const answer = await request(webhook.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Hostyard webhooks',
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
      },
      body,
      dispatcher: await yard.dialling.agent(),
      signal: AbortSignal.any([stopping, tooLate]),
    });
    const through = answer.statusCode >= 200 && answer.statusCode < 300;
    const excerpt = await excerptOf(answer.body);
    const error = through ? '' : `answered ${answer.statusCode}${excerpt === '' ? '' : `: ${excerpt}`}`;
    return { answer: answer.statusCode, error };
  } catch (error) {
    // The process stops, or has lost the job: this was no attempt, and another one will come.
    if (stopping.aborted) throw error;
    return { answer: undefined, error: tooLate.aborted ? 'did not answer within 10 seconds' : reasonOf(error) };
  }
}

/** Why there was no answer, in words that tell nothing of our network. */
function reasonOf(error: unknown): string {
  if (error instanceof DialRefused) return error.message;
  const { code } = error as { code?: unknown };
  return `could not be reached${typeof code === 'string' ? ` (${code})` : ''}`;
}

/** The beginning of the answer; what comes after it is not waited for. */
async function excerptOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length >= excerptLength) break;
    }
  } catch {
    // The answer's number has come, which is what counts.
  }
  return text
    .slice(0, excerptLength)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
}

/** False where the lane is not to go on now. */
async function record(
  yard: Parts,
  queries: Queries,
  { webhook, delivery }: Head,
  { answer, error }: Outcome,
  waitsSeconds: readonly number[],
): Promise<boolean> {
  const now = yard.clock.now();
  const attempts = delivery.attempts + 1;
  const told = { attempts, last_at: now, answer: answer ?? null, error };
  if (error === '') {
    await deliveryUpdate(queries, delivery.id, { ...told, status: 'Delivered' });
    return true;
  }
  if (answer === gone) {
    await deliveryUpdate(queries, delivery.id, { ...told, status: 'Failed' });
    const reason = `The endpoint answered 410 (gone) on ${momentText(now)}`;
    await webhookUpdate(queries, webhook.account_id, webhook.id, { status: 'Off', reason });
    return false;
  }
  const waitSeconds = waitsSeconds[attempts - 1];
  if (waitSeconds === undefined) {
    await deliveryUpdate(queries, delivery.id, { ...told, status: 'Failed' });
    return true;
  }
  const next = Math.ceil(now + waitSeconds * 1000 * (1 + jitter * Math.random()));
  await deliveryUpdate(queries, delivery.id, { ...told, next_at: next });
  const retry = { webhook: webhook.id, lane: delivery.lane, retryOf: delivery.id };
  await yard.jobs.enqueue(queries, webhookLane, retry, { runAt: next });
  return false;
}
