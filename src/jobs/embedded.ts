// The engine for SQLite: a table, in the process. Only one server works on a SQLite file (the process lock), so what is
// running in the table when it starts was its predecessor's, and begins anew at once. The heartbeat stays for whatever else
// keeps a process from its work, such as a machine that slept.
import {
  jobFail,
  jobInsert,
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
} from '#store/work/jobs.ts';
import type { Queries } from '#store/store.ts';
import type { JobCounts, JobKind, JobParts, Jobs } from './jobs.ts';
import { errorText, type Claim, type Ledger, type Outcome } from './ledger.ts';
import { runner } from './runner.ts';

const silentAfterMs = 20_000;

export function embeddedJobs({ store, clock, log, node }: JobParts): Jobs {
  const ledger: Ledger = {
    turn: (kind, ended, places) =>
      store.transaction(async (queries) => {
        for (const outcome of ended) await settle(queries, kind, outcome);
        const rows = places === 0 ? [] : await jobsClaim(queries, kind.name, node, clock.now(), places);
        return rows.map(({ id, attempt, payload }) => ({
          id: String(id),
          kind: kind.name,
          attempt,
          payload: JSON.parse(payload) as object,
        }));
      }),
    async due(kinds) {
      const found = await Promise.all(kinds.map((kind) => jobsDue(store.queries, kind, clock.now())));
      return kinds.filter((_, index) => found[index]);
    },
    hold: (queries, claim) => jobIsHeld(queries, held(claim)),
    finish: (queries, claim) => jobRemove(queries, held(claim)),
    async beat(claims, kinds) {
      const alive = claims.length === 0 ? [] : await jobsBeat(store.queries, node, clock.now());
      await takeOver(kinds, clock.now() - silentAfterMs);
      const stillHeld = new Set(alive.map(({ id, attempt }) => `${id}:${attempt}`));
      return claims.filter(({ id, attempt }) => !stillHeld.has(`${id}:${attempt}`));
    },
  };
  const running = runner(store, ledger, log);

  async function settle(queries: Queries, kind: JobKind<object>, { claim, how, error }: Outcome): Promise<void> {
    const job = held(claim);
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
        await jobFail(queries, job, { error: 'its process ended before it did', at, allowed, runAt: () => at });
      }
    });
    log.warn({ jobs: silent.length }, 'jobs of a process that is gone are run again');
    for (const { kind } of silent) running.wake(kind);
  }

  // What is enqueued may only be looked for once it is committed. SQLite has one writer, so the next transaction to commit
  // is the one that enqueued, unless that was rolled back: then the look is in vain.
  const enqueued = new Set<string>();
  const stopListening = store.onCommit(() => {
    for (const kind of enqueued) running.wake(kind);
    enqueued.clear();
  });

  return {
    async enqueue(queries, kind, payload, when) {
      const id = await jobInsert(queries, {
        kind: kind.name,
        key: kind.key?.(payload) ?? null,
        payload: JSON.stringify(payload),
        run_at: when?.runAt ?? clock.now(),
      });
      if (queries.isTransaction) enqueued.add(kind.name);
      else running.wake(kind.name);
      return String(id);
    },
    async start(workers) {
      await takeOver(
        workers.map((worker) => worker.kind),
        clock.now() + 1,
      );
      running.start(workers);
    },
    async stop() {
      await running.stop();
      stopListening();
    },
    keysAlive: async (kind, keys) => new Set(await jobKeysAlive(store.queries, kind.name, keys)),
    async failed() {
      const rows = await jobsFailed(store.queries);
      return rows.map(({ id, kind, payload, attempt, error, failed_at }) => ({
        id: String(id),
        kind,
        payload: JSON.parse(payload) as object,
        attempts: attempt,
        error: error!,
        failedAt: failed_at!,
      }));
    },
    async retry(id) {
      const kind = await jobRetry(store.queries, Number(id), clock.now());
      if (kind !== undefined) running.wake(kind);
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

function held({ id, attempt }: Claim): HeldJob {
  return { id: Number(id), attempt };
}

/** As pg-boss has it: doubled each time, with up to as much again at random. */
function retryWaitMs(kind: JobKind<object>, failures: number): number {
  const seconds = kind.firstRetrySeconds * 2 ** (failures - 1) * (1 + Math.random());
  return Math.round(Math.min(kind.longestRetrySeconds, seconds) * 1000);
}
