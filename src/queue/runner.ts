// Runs the attempts of this process, for both backends. The backend hands out jobs and takes back outcomes; the runner
// decides when to call it, keeps deadlines and heartbeats, and stops. Each kind has its own rounds. A round settles
// everything that ended and claims as many jobs as there are free slots, so that under load one query serves many jobs,
// and an idle process queries the database only when it polls.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#lib/log.ts';
import type { Store } from '#store/store.ts';
import { startAttempt, type Attempt } from './attempt.ts';
import type { JobKind, JobWorker } from './queue.ts';
import type { QueueBackend, Outcome } from './backend.ts';

export interface Runner {
  /** There may be a job of this kind now. */
  wake(kind: string): void;
  /** There may soon be a job that nobody announces. */
  expectJobs(): void;
  start(workers: readonly JobWorker[]): void;
  /** Stops claiming jobs, and gives running ones some time to end. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

interface KindState {
  readonly worker: JobWorker;
  readonly runningAttempts: Set<Attempt>;
  ended: Outcome[];
  isAwake: boolean;
  round: Promise<void> | undefined;
}

const pollMs = 500;
/** How long after jobs were enqueued or ended others are likely, such as the next attempt. */
const busyMs = 10_000;
const heartbeatMs = 3000;
/** One that hangs, such as on a broken connection, does not hold up the next. */
const heartbeatsAtOnce = 3;
const stopGraceMs = 5000;
const abortGraceMs = 1000;

/** `idlePollMs` is how often it polls after a while without jobs. */
export function createRunner(store: Store, backend: QueueBackend, log: Log, idlePollMs = pollMs): Runner {
  const states = new Map<string, KindState>();
  /** Draining: stops claiming jobs. Aborting: failures are due to the process stopping. */
  let phase: 'working' | 'draining' | 'aborting' = 'working';
  let drained: (() => void) | undefined;
  let polling: Interval | undefined;
  let beating: Interval | undefined;
  let busyUntilMs = -Infinity;
  let polledAtMs = -Infinity;

  function expectJobs(): void {
    busyUntilMs = performance.now() + busyMs;
  }

  function wake(kind: string): void {
    const state = states.get(kind);
    if (state === undefined || phase !== 'working') return;
    expectJobs();
    state.isAwake = true;
    schedule(state);
  }

  function schedule(state: KindState): void {
    state.round ??= runRounds(state);
  }

  async function runRounds(state: KindState): Promise<void> {
    do {
      // Deferred, because several jobs often end or are enqueued together.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await runRound(state);
    } while (state.isAwake || state.ended.length > 0);
    // Here rather than when the promise has resolved, so that a wake-up in between is not lost.
    state.round = undefined;
  }

  async function runRound(state: KindState): Promise<void> {
    const { worker, runningAttempts: running } = state;
    const ended = state.ended;
    const slots = state.isAwake ? Math.max(0, worker.kind.concurrency - running.size) : 0;
    state.ended = [];
    state.isAwake = false;
    if (ended.length === 0 && slots === 0) return;
    const claimedAtMs = performance.now();
    try {
      const claims = await backend.settleAndClaim(worker.kind, ended, slots);
      for (const claim of claims)
        running.add(startAttempt({ store, backend, log, worker, claim, claimedAtMs, settle }));
      // Jobs may be waiting behind those that a key held back.
      if (worker.kind.key !== undefined && claims.length > 0) state.isAwake = phase === 'working';
    } catch (error) {
      log.error({ err: error, kind: worker.kind.name }, 'the job queue does not respond; retrying shortly');
      // At the very end there is no later: those jobs run again once their heartbeat is missed.
      if (phase === 'aborting') return;
      await sleep(pollMs);
      state.ended.unshift(...ended);
      state.isAwake = phase === 'working';
    }
  }

  function settle(attempt: Attempt, outcome: Outcome | undefined): void {
    const state = states.get(attempt.claim.kind)!;
    state.runningAttempts.delete(attempt);
    if (outcome !== undefined) {
      state.ended.push(phase === 'aborting' && outcome.how === 'failed' ? { ...outcome, how: 'released' } : outcome);
    }
    state.isAwake = phase === 'working';
    expectJobs();
    schedule(state);
    if (allRunning().length === 0) drained?.();
  }

  function allRunning(): Attempt[] {
    return [...states.values()].flatMap((state) => [...state.runningAttempts]);
  }

  async function poll(): Promise<void> {
    const now = performance.now();
    // The timer is not exact.
    if (now > busyUntilMs && now - polledAtMs < idlePollMs - pollMs / 2) return;
    polledAtMs = now;
    const withFreeSlots = [...states.values()].filter(
      (state) => state.runningAttempts.size < state.worker.kind.concurrency,
    );
    if (withFreeSlots.length === 0) return;
    for (const kind of await backend.due(withFreeSlots.map((state) => state.worker.kind.name))) wake(kind);
  }

  async function beat(): Promise<void> {
    const attempts = allRunning();
    const kinds: JobKind<object>[] = [...states.values()].map((state) => state.worker.kind);
    const sentAtMs = performance.now();
    const lost = new Set(
      await backend.beat(
        attempts.map((attempt) => attempt.claim),
        kinds,
      ),
    );
    for (const attempt of attempts)
      if (lost.has(attempt.claim)) attempt.lose();
      else attempt.keep(sentAtMs);
  }

  const roundsEnded = (): Promise<unknown> => Promise.all([...states.values()].map((state) => state.round));

  async function drain(): Promise<void> {
    phase = 'draining';
    await polling?.stop();
    // A running round may still claim jobs.
    await roundsEnded();
    const empty = new Promise<void>((resolve) => (drained = resolve));
    if (allRunning().length > 0) await Promise.race([empty, sleep(stopGraceMs)]);
  }

  return {
    wake,
    expectJobs,
    start(workers) {
      for (const worker of workers) {
        states.set(worker.kind.name, {
          worker,
          runningAttempts: new Set(),
          ended: [],
          isAwake: false,
          round: undefined,
        });
      }
      const failed = (error: unknown): void => log.error({ err: error }, 'the job queue does not respond');
      polling = repeat(poll, pollMs, 1, failed);
      beating = repeat(beat, heartbeatMs, heartbeatsAtOnce, failed);
      for (const kind of states.keys()) wake(kind);
    },
    drain,
    async stop() {
      if (phase === 'working') await drain();
      const empty = new Promise<void>((resolve) => (drained = resolve));
      phase = 'aborting';
      for (const attempt of allRunning()) attempt.abort(new Error('the process is stopping'));
      if (allRunning().length > 0) await Promise.race([empty, sleep(abortGraceMs)]);
      for (const attempt of allRunning()) attempt.fail(new Error('the process is stopping'));
      await roundsEnded();
      await beating?.stop();
    },
  };
}

interface Interval {
  /** Resolves when the work has ended. */
  stop(): Promise<void>;
}

/** Repeats at an interval, but runs at most `atOnce` at a time. */
function repeat(
  work: () => Promise<void>,
  everyMs: number,
  atOnce: number,
  failed: (error: unknown) => void,
): Interval {
  const running = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (running.size >= atOnce) return;
    const run = work()
      .catch(failed)
      .finally(() => running.delete(run));
    running.add(run);
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
    },
  };
}
