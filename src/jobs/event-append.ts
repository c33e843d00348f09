// Telling what happened: the event, and a delivery with its job for every webhook that wants it, all in the transaction of what
// is told. It stands in this room, below app, workflows and reconcilers, because all of them have something to tell.
import { eventKinds, type EventData, type EventType } from '#contract/events.ts';
import type { Clock } from '#kernel/clock.ts';
import { eventInsert } from '#store/events.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { deliveryInsert, webhookList, type Lane } from '#store/webhooks.ts';
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

export interface AppendParts {
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly clock: Clock;
}

export async function eventAppend<T extends EventType>(
  { jobs, clock }: AppendParts,
  queries: Queries,
  { account, type, service, data }: AppendedEvent<T>,
): Promise<void> {
  const at = clock.now();
  const { sequence, webhooks } = await eventInsert(queries, {
    account_id: account,
    type,
    version: eventKinds[type].version,
    service_id: service ?? null,
    data: JSON.stringify(data),
    at,
  });
  if (webhooks === 0) return;
  const wanting = (await webhookList(queries, account)).filter((webhook) => {
    const wanted = JSON.parse(webhook.events) as string[];
    return webhook.status === 'Active' && (wanted.length === 0 || wanted.includes(type));
  });
  if (wanting.length === 0) return;
  const lane = service ?? 0;
  await deliveryInsert(
    queries,
    wanting.map(({ id }) => ({
      account_id: account,
      webhook_id: id,
      lane,
      sequence,
      replay_of: null,
      created_at: at,
    })),
  );
  for (const { id } of wanting) await jobs.enqueue(queries, webhookLane, { webhook: id, lane });
}
