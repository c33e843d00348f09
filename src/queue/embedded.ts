// The queue on SQLite: a table, processed in this process. Only one server uses a SQLite file (the process lock), so
// jobs that are running when it starts belonged to its predecessor and restart immediately. Heartbeats cover whatever
// else can stop a process, such as a suspended machine.
import {
  jobFail,
  jobsInsert,
  jobIsHeld,
  jobKeysAlive,
  jobRelease,
  jobRemove,
  jobRetry,
  jobsBeat,
  jobsClaim,
  jobsCount,
  jobsDue,
  jobsFailed,
  jobsSilent,
  type HeldJob,
  jobPayload,
} from '#store/work/jobs.ts';
import type { Queries } from '#store/store.ts';
import { allFailed, type JobCounts, type JobKind, type QueueParts, type Queue } from './queue.ts';
import { errorText, type Claim, type QueueBackend, type Outcome } from './backend.ts';
import { createRunner } from './runner.ts';

const leaseMs = 20_000;

export function embeddedQueue({ store, clock, log, instanceId }: QueueParts): Queue {
  const backend: QueueBackend = {
    leaseMs,
    settleAndClaim: (kind, ended, slots) =>
      store.transaction(async (queries) => {
        for (const outcome of ended) await settle(queries, kind, outcome);
        const rows = slots === 0 ? [] : await jobsClaim(queries, kind.name, instanceId, clock.now(), slots);
        return rows.map(({ id, attempt, payload }) => ({
          id: String(id),
          kind: kind.name,
          attempt,
          payload: jobPayload.decode(payload),
        }));
      }),
    async due(kinds) {
      const found = await Promise.all(kinds.map((kind) => jobsDue(store.queries, kind, clock.now())));
      return kinds.filter((_, index) => found[index]);
    },
    hold: (queries, claim) => jobIsHeld(queries, heldJob(claim)),
    finish: (queries, claim) => jobRemove(queries, heldJob(claim)),
    async beat(claims, kinds) {
      const alive = claims.length === 0 ? [] : await jobsBeat(store.queries, instanceId, clock.now());
      await takeOver(kinds, clock.now() - leaseMs);
      const stillHeld = new Set(alive.map(({ id, attempt }) => `${id}:${attempt}`));
      return claims.filter(({ id, attempt }) => !stillHeld.has(`${id}:${attempt}`));
    },
  };
  const jobRunner = createRunner(store, backend, log);

  async function settle(queries: Queries, kind: JobKind<object>, { claim, how, error }: Outcome): Promise<void> {
    const job = heldJob(claim);
    const at = clock.now();
    if (how === 'done') await jobRemove(queries, job);
    else if (how === 'released') await jobRelease(queries, job, at);
    else {
      const runAt = (failures: number): number => at + retryWaitMs(kind, failures);
      await jobFail(queries, job, { error: errorText(error), at, allowed: kind.retries, runAt });
    }
  }

  async function takeOver(kinds: readonly JobKind<object>[], silentSince: number): Promise<void> {
    const byName = new Map(kinds.map((kind) => [kind.name, kind]));
    const silent = await jobsSilent(store.queries, [...byName.keys()], silentSince);
    if (silent.length === 0) return;
    const at = clock.now();
    await store.transaction(async (queries) => {
      for (const job of silent) {
        const allowed = byName.get(job.kind)!.retries;
        await jobFail(queries, job, { error: 'its process ended before it finished', at, allowed, runAt: () => at });
      }
    });
    log.warn({ jobs: silent.length }, 'restarting jobs of a process that ended');
    for (const { kind } of silent) jobRunner.wake(kind);
  }

  // Enqueued jobs can be claimed only once they are committed. SQLite has one writer, so the next transaction to commit
  // is the one that enqueued, unless it was rolled back, in which case waking up does no harm.
  const enqueued = new Set<string>();
  const stopListening = store.onCommit(() => {
    for (const kind of enqueued) jobRunner.wake(kind);
    enqueued.clear();
  });

  async function insertJobs<Payload extends object>(
    queries: Queries,
    kind: JobKind<Payload>,
    payloads: readonly Payload[],
    run_at: number,
  ): Promise<number[]> {
    const jobs = payloads.map((payload) => ({
      kind: kind.name,
      key: kind.key?.(payload) ?? null,
      payload: jobPayload.encode(payload),
      run_at,
    }));
    const ids = await jobsInsert(queries, jobs);
    if (queries.isTransaction) enqueued.add(kind.name);
    else jobRunner.wake(kind.name);
    return ids;
  }

  return {
    async enqueue(queries, kind, payload, when) {
      const [id] = await insertJobs(queries, kind, [payload], when?.runAt ?? clock.now());
      return String(id);
    },
    async enqueueAll(queries, kind, payloads) {
      await insertJobs(queries, kind, payloads, clock.now());
    },
    async start(workers) {
      await takeOver(
        workers.map((worker) => worker.kind),
        clock.now() + 1,
      );
      jobRunner.start(workers);
    },
    drain: () => jobRunner.drain(),
    async stop() {
      await jobRunner.stop();
      stopListening();
    },
    keysAlive: async (kind, keys) => new Set(await jobKeysAlive(store.queries, kind.name, keys)),
    async failed({ limit, after } = allFailed) {
      const rows = await jobsFailed(store.queries, limit, Number(after));
      return rows.map(({ id, kind, payload, attempt, error, failed_at }) => ({
        id: String(id),
        kind,
        payload: jobPayload.decode(payload),
        attempts: attempt,
        error: error!,
        failedAt: failed_at!,
      }));
    },
    async retry(id) {
      const kind = await jobRetry(store.queries, Number(id), clock.now());
      if (kind !== undefined) jobRunner.wake(kind);
      return kind !== undefined;
    },
    async counts() {
      const counts = new Map<string, JobCounts>();
      for (const { kind, state, count } of await jobsCount(store.queries)) {
        counts.set(kind, { queued: 0, running: 0, failed: 0, ...counts.get(kind), [state]: count });
      }
      return counts;
    },
  };
}

function heldJob({ id, attempt }: Claim): HeldJob {
  return { id: Number(id), attempt };
}

/** As in pg-boss: doubled each time, plus up to as much again at random. */
function retryWaitMs(kind: JobKind<object>, failures: number): number {
  const seconds = kind.firstRetrySeconds * 2 ** (failures - 1) * (1 + Math.random());
  return Math.round(Math.min(kind.maxRetrySeconds, seconds) * 1000);
}
