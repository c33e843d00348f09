// What both engines have in common: the attempts under way in this process. An engine is a ledger, which hands out jobs and
// takes back what became of them; the runner decides when to ask it, keeps the deadlines and the heartbeat, and stops.
//
// Each kind takes turns of its own. One turn settles all that ended and takes all that there is room for, so that under load
// the database is asked once for many jobs, and an idle process asks it only at the poll.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#kernel/log.ts';
import type { Store } from '#store/store.ts';
import { attemptRun, type Attempt } from './attempt.ts';
import type { JobKind, JobWorker } from './jobs.ts';
import type { Ledger, Outcome } from './ledger.ts';

export interface Runner {
  /** There may be a job of this kind now. */
  wake(kind: string): void;
  start(workers: readonly JobWorker[]): void;
  stop(): Promise<void>;
}

interface Desk {
  readonly worker: JobWorker;
  readonly underWay: Set<Attempt>;
  ended: Outcome[];
  awake: boolean;
  turning: Promise<void> | undefined;
}

const pollMs = 500;
const heartbeatMs = 3000;
const stopGraceMs = 5000;
const abortGraceMs = 1000;

export function runner(store: Store, ledger: Ledger, log: Log): Runner {
  const desks = new Map<string, Desk>();
  /** Draining: takes no more jobs. Aborting: what fails now fails because the process stops. */
  let phase: 'working' | 'draining' | 'aborting' = 'working';
  let drained: (() => void) | undefined;
  let polling: Repeated | undefined;
  let beating: Repeated | undefined;

  function wake(kind: string): void {
    const desk = desks.get(kind);
    if (desk === undefined || phase !== 'working') return;
    desk.awake = true;
    schedule(desk);
  }

  function schedule(desk: Desk): void {
    desk.turning ??= turns(desk);
  }

  async function turns(desk: Desk): Promise<void> {
    do {
      // In a moment, not now: several jobs often end, or are enqueued, together.
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await turn(desk);
    } while (desk.awake || desk.ended.length > 0);
    // Here and not when the promise has resolved: who wakes the desk in between would not be heard.
    desk.turning = undefined;
  }

  async function turn(desk: Desk): Promise<void> {
    const { worker, underWay } = desk;
    const ended = desk.ended;
    const places = desk.awake ? Math.max(0, worker.kind.concurrency - underWay.size) : 0;
    desk.ended = [];
    desk.awake = false;
    if (ended.length === 0 && places === 0) return;
    try {
      const claims = await ledger.turn(worker.kind, ended, places);
      for (const claim of claims) underWay.add(attemptRun({ store, ledger, log, worker, claim, settle }));
      // Where a key kept jobs back, others may stand behind them.
      if (worker.kind.key !== undefined && claims.length > 0) desk.awake = phase === 'working';
    } catch (error) {
      log.error({ err: error, kind: worker.kind.name }, 'the job queue does not answer; it is asked again shortly');
      // At the very end there is no later: those jobs run again when their heartbeat is missed.
      if (phase === 'aborting') return;
      await sleep(pollMs);
      desk.ended.unshift(...ended);
      desk.awake = phase === 'working';
    }
  }

  function settle(attempt: Attempt, outcome: Outcome | undefined): void {
    const desk = desks.get(attempt.claim.kind)!;
    desk.underWay.delete(attempt);
    if (outcome !== undefined) {
      desk.ended.push(phase === 'aborting' && outcome.how === 'failed' ? { ...outcome, how: 'released' } : outcome);
    }
    desk.awake = phase === 'working';
    schedule(desk);
    if (underWay().length === 0) drained?.();
  }

  function underWay(): Attempt[] {
    return [...desks.values()].flatMap((desk) => [...desk.underWay]);
  }

  async function poll(): Promise<void> {
    const withRoom = [...desks.values()].filter((desk) => desk.underWay.size < desk.worker.kind.concurrency);
    if (withRoom.length === 0) return;
    for (const kind of await ledger.due(withRoom.map((desk) => desk.worker.kind.name))) wake(kind);
  }

  async function beat(): Promise<void> {
    const attempts = underWay();
    const kinds: JobKind<object>[] = [...desks.values()].map((desk) => desk.worker.kind);
    const lost = new Set(
      await ledger.beat(
        attempts.map((attempt) => attempt.claim),
        kinds,
      ),
    );
    for (const attempt of attempts) if (lost.has(attempt.claim)) attempt.lose();
  }

  return {
    wake,
    start(workers) {
      for (const worker of workers) {
        desks.set(worker.kind.name, { worker, underWay: new Set(), ended: [], awake: false, turning: undefined });
      }
      const failed = (error: unknown): void => log.error({ err: error }, 'the job queue does not answer');
      polling = repeat(poll, pollMs, failed);
      beating = repeat(beat, heartbeatMs, failed);
      for (const kind of desks.keys()) wake(kind);
    },
    async stop() {
      phase = 'draining';
      await polling?.stop();
      const turned = (): Promise<unknown> => Promise.all([...desks.values()].map((desk) => desk.turning));
      // A turn under way may still bring jobs.
      await turned();
      const empty = new Promise<void>((resolve) => (drained = resolve));
      if (underWay().length > 0) await Promise.race([empty, sleep(stopGraceMs)]);
      phase = 'aborting';
      for (const attempt of underWay()) attempt.abort(new Error('the process stops'));
      if (underWay().length > 0) await Promise.race([empty, sleep(abortGraceMs)]);
      for (const attempt of underWay()) attempt.fail(new Error('the process stops'));
      await turned();
      await beating?.stop();
    },
  };
}

interface Repeated {
  /** Resolves when the work is not under way any more. */
  stop(): Promise<void>;
}

/** Every so often, but never twice at once. */
function repeat(work: () => Promise<void>, everyMs: number, failed: (error: unknown) => void): Repeated {
  let underWay: Promise<void> | undefined;
  const timer = setInterval(() => {
    underWay ??= work()
      .catch(failed)
      .finally(() => (underWay = undefined));
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}
