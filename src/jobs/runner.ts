// What both engines have in common: the attempts under way in this process. An engine is a ledger, which hands out jobs and
// takes back what became of them; the runner decides when to ask it, keeps the deadlines and the heartbeat, and stops.
//
// One turn settles all that ended and takes all that there is room for, so that under load the database is asked once for
// many jobs, and an idle process asks it only at the poll.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '#kernel/log.ts';
import type { Queries, Store } from '#store/store.ts';
import { JobLost, type JobKind, type JobWorker } from './jobs.ts';

export interface Claim {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
  readonly payload: object;
}

/** What became of an attempt. Released: the process stops, and the job is to run as if it had not been taken. */
export type Outcome = { readonly claim: Claim; readonly kind: JobKind<object> } & (
  | { readonly how: 'done' }
  | { readonly how: 'released' }
  | { readonly how: 'failed'; readonly error: string }
);

/** Room on this node for more jobs of a kind. */
export interface Room {
  readonly kind: JobKind<object>;
  readonly places: number;
}

export interface Ledger {
  /** Settles first: what ended may make way for a job with the same key. An attempt that is lost is passed over. */
  turn(ended: readonly Outcome[], rooms: readonly Room[]): Promise<Claim[]>;
  /** Of these kinds, those with a job that is due. */
  due(kinds: readonly string[]): Promise<string[]>;
  /** Whether this attempt still holds its job; it keeps it until the transaction ends. */
  hold(queries: Queries, claim: Claim): Promise<boolean>;
  /** The same, and the job is done. */
  finish(queries: Queries, claim: Claim): Promise<boolean>;
  /** Tells that these are alive, and answers those that are lost. Jobs of nodes that went silent are queued again. */
  beat(claims: readonly Claim[], kinds: readonly JobKind<object>[]): Promise<Claim[]>;
}

export interface Runner {
  /** There may be a job of this kind now. */
  wake(kind: string): void;
  start(workers: readonly JobWorker[]): void;
  stop(): Promise<void>;
}

interface UnderWay {
  readonly claim: Claim;
  readonly worker: JobWorker;
  readonly controller: AbortController;
  deadline: NodeJS.Timeout | undefined;
  /** Nothing more is to be told of it: what its handler still does goes unheard. */
  settled: boolean;
  completed: boolean;
}

const pollMs = 500;
const heartbeatMs = 4000;
const stopGraceMs = 5000;
const abortGraceMs = 1000;
const longestError = 2000;

export function runner(store: Store, ledger: Ledger, log: Log): Runner {
  const workers = new Map<string, JobWorker>();
  const underWay = new Set<UnderWay>();
  const running = new Map<string, number>();
  const awake = new Set<string>();
  const ended: Outcome[] = [];
  let turning: Promise<void> | undefined;
  let beating: Promise<void> | undefined;
  let timers: NodeJS.Timeout[] = [];
  /** Draining: takes no more jobs. Aborting: what fails now fails because the process stops. */
  let phase: 'working' | 'draining' | 'aborting' = 'working';
  let drained: (() => void) | undefined;

  function wake(kind: string): void {
    if (!workers.has(kind) || phase !== 'working') return;
    awake.add(kind);
    schedule();
  }

  function schedule(): void {
    // In a moment, not now: several jobs often end, or are enqueued, together.
    turning ??= new Promise<void>((resolve) => setImmediate(resolve)).then(turn).finally(() => {
      turning = undefined;
      if (awake.size > 0 || ended.length > 0) schedule();
    });
  }

  async function turn(): Promise<void> {
    const settling = ended.splice(0);
    const rooms = [...awake].map(roomFor).filter((room) => room.places > 0);
    awake.clear();
    if (settling.length === 0 && rooms.length === 0) return;
    try {
      const claims = await ledger.turn(settling, rooms);
      for (const claim of claims) begin(claim);
      // Where a key kept jobs back, others may have stood behind them.
      for (const { kind } of rooms) {
        if (kind.key !== undefined && claims.some((claim) => claim.kind === kind.name)) wake(kind.name);
      }
    } catch (error) {
      log.error({ err: error }, 'the job queue does not answer; it is asked again shortly');
      // At the very end there is no later: those jobs run again where the heartbeat is missed.
      if (phase === 'aborting') return;
      await sleep(pollMs);
      ended.unshift(...settling);
      for (const { kind } of rooms) wake(kind.name);
    }
  }

  function roomFor(name: string): Room {
    const { kind } = workers.get(name)!;
    return { kind, places: kind.concurrency - (running.get(name) ?? 0) };
  }

  function begin(claim: Claim): void {
    const worker = workers.get(claim.kind)!;
    const attempt: UnderWay = {
      claim,
      worker,
      controller: new AbortController(),
      deadline: undefined,
      settled: false,
      completed: false,
    };
    underWay.add(attempt);
    running.set(claim.kind, (running.get(claim.kind) ?? 0) + 1);
    attempt.deadline = setTimeout(() => {
      const error = new Error(`it took longer than its ${worker.kind.deadlineSeconds} s`);
      attempt.controller.abort(error);
      settle(attempt, failedBy(attempt, error));
    }, worker.kind.deadlineSeconds * 1000);
    void handle(attempt);
  }

  async function handle(attempt: UnderWay): Promise<void> {
    const { claim, worker, controller } = attempt;
    const { id, attempt: number, payload } = claim;
    const fenced =
      (fence: Ledger['hold']) =>
      <T>(work: (queries: Queries) => Promise<T>): Promise<T> =>
        store.transaction(async (queries) => {
          if (!(await fence(queries, claim))) throw lose(attempt);
          return work(queries);
        });
    try {
      const finish = fenced(ledger.finish);
      await worker.handle({
        id,
        attempt: number,
        payload,
        signal: controller.signal,
        publish: fenced(ledger.hold),
        async complete(work) {
          const result = await finish(work);
          attempt.completed = true;
          return result;
        },
      });
      settle(attempt, { how: 'done', claim, kind: worker.kind });
    } catch (error) {
      if (attempt.completed) log.warn({ err: error, job: id, kind: claim.kind }, 'a job failed after its completion');
      settle(attempt, failedBy(attempt, error));
    }
  }

  function failedBy({ claim, worker: { kind } }: UnderWay, error: unknown): Outcome {
    if (phase === 'aborting') return { how: 'released', claim, kind };
    log.warn({ err: error, job: claim.id, kind: claim.kind, attempt: claim.attempt }, 'an attempt at a job failed');
    return { how: 'failed', claim, kind, error: String(error).slice(0, longestError) };
  }

  function lose(attempt: UnderWay): JobLost {
    const lost = new JobLost();
    attempt.controller.abort(lost);
    settle(attempt, undefined);
    return lost;
  }

  function settle(attempt: UnderWay, outcome: Outcome | undefined): void {
    if (attempt.settled) return;
    attempt.settled = true;
    clearTimeout(attempt.deadline);
    underWay.delete(attempt);
    running.set(attempt.claim.kind, running.get(attempt.claim.kind)! - 1);
    if (outcome !== undefined && !attempt.completed) ended.push(outcome);
    wake(attempt.claim.kind);
    schedule();
    if (underWay.size === 0) drained?.();
  }

  async function settledAll(): Promise<void> {
    await turning;
    if (turning !== undefined) await settledAll();
  }

  async function poll(): Promise<void> {
    const names = [...workers.keys()].filter((name) => roomFor(name).places > 0);
    try {
      if (names.length > 0) for (const kind of await ledger.due(names)) wake(kind);
    } catch (error) {
      log.error({ err: error }, 'the job queue does not answer; it is asked again shortly');
    }
  }

  async function beat(): Promise<void> {
    const before = [...underWay];
    const kinds = [...workers.values()].map((worker) => worker.kind);
    try {
      const lost = new Set(
        await ledger.beat(
          before.map((attempt) => attempt.claim),
          kinds,
        ),
      );
      for (const attempt of before) if (lost.has(attempt.claim) && !attempt.completed) lose(attempt);
    } catch (error) {
      log.error({ err: error }, 'the heartbeat of running jobs was not written');
    }
  }

  return {
    wake,
    start(list) {
      for (const worker of list) workers.set(worker.kind.name, worker);
      let polling: Promise<void> | undefined;
      timers = [
        setInterval(() => (polling ??= poll().finally(() => (polling = undefined))), pollMs),
        setInterval(() => (beating ??= beat().finally(() => (beating = undefined))), heartbeatMs),
      ];
      for (const name of workers.keys()) wake(name);
    },
    async stop() {
      clearInterval(timers[0]);
      phase = 'draining';
      awake.clear();
      const empty = new Promise<void>((resolve) => (drained = resolve));
      // A turn may still bring in jobs that it had asked for.
      await turning;
      if (underWay.size > 0) await Promise.race([empty, sleep(stopGraceMs, undefined, { ref: false })]);
      phase = 'aborting';
      for (const { controller } of underWay) controller.abort(new Error('the process stops'));
      if (underWay.size > 0) await Promise.race([empty, sleep(abortGraceMs, undefined, { ref: false })]);
      for (const attempt of underWay) settle(attempt, failedBy(attempt, undefined));
      await settledAll();
      clearInterval(timers[1]);
      await beating;
    },
  };
}
