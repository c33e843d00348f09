// One attempt at a job: its handler, its deadline, and the fence around what it writes.
import { holdLease } from '#lib/held-lease.ts';
import type { Log } from '#lib/log.ts';
import type { Queries, Store } from '#store/store.ts';
import { JobLost, type JobWorker } from './queue.ts';
import type { Claim, QueueBackend, Outcome } from './backend.ts';

export interface Attempt {
  readonly claim: Claim;
  /** Asks the handler to end. */
  abort(reason: Error): void;
  /** Fails the attempt; whatever its handler still does is ignored. */
  fail(reason: Error): void;
  /** A heartbeat that was sent at this time, by `performance.now()`, found the job. */
  keep(sentAtMs: number): void;
  /** Another attempt has the job now. */
  lose(): void;
}

export interface AttemptOptions {
  readonly store: Store;
  readonly backend: QueueBackend;
  readonly log: Log;
  readonly worker: JobWorker;
  readonly claim: Claim;
  /** When the claim was sent, by `performance.now()`. */
  readonly claimedAtMs: number;
  /** Called once. Without an outcome, there is nothing to settle. */
  readonly settle: (attempt: Attempt, outcome: Outcome | undefined) => void;
}

export function startAttempt(options: AttemptOptions): Attempt {
  const { store, backend, log, worker, claim, claimedAtMs, settle } = options;
  const { id, attempt: number, payload } = claim;
  const { deadlineSeconds } = worker.kind;
  const controller = new AbortController();
  let settled = false;
  let completed = false;
  let isLate = false;
  const fields = { job: id, kind: claim.kind, attempt: number };

  const attempt: Attempt = {
    claim,
    abort: (reason) => controller.abort(reason),
    fail(reason) {
      controller.abort(reason);
      end({ how: 'failed', claim, error: reason });
    },
    keep: (sentAtMs) => lease.renew(sentAtMs),
    lose() {
      // The heartbeat finds no job if it was completed a moment ago.
      if (completed) return;
      controller.abort(new JobLost());
      end(undefined);
    },
  };
  const deadline = setTimeout(
    () => attempt.fail(new Error(`it took longer than its deadline of ${deadlineSeconds} s`)),
    deadlineSeconds * 1000,
  );

  const lease = holdLease(backend.leaseMs, claimedAtMs, () => {
    isLate = true;
    log.warn(
      fields,
      'no heartbeat reached the database for too long; stopping a job that another instance may take over',
    );
    controller.abort(new JobLost());
  });

  function end(outcome: Outcome | undefined): void {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    lease.stop();
    if (outcome?.how === 'failed') log.warn({ err: outcome.error, ...fields }, 'an attempt at a job failed');
    settle(attempt, completed ? undefined : outcome);
  }

  const fenced = <T>(fence: QueueBackend['hold'], work: (queries: Queries) => Promise<T>): Promise<T> =>
    store.transaction(async (queries) => {
      if (await fence(queries, claim)) return work(queries);
      attempt.lose();
      throw new JobLost();
    });

  async function handle(): Promise<void> {
    // The runner must have the attempt before it can end.
    await Promise.resolve();
    try {
      await worker.handle({
        id,
        attempt: number,
        payload,
        get signal() {
          lease.check();
          return controller.signal;
        },
        publish: (work) => fenced(backend.hold, work),
        async complete(work) {
          const result = await fenced(backend.finish, work);
          completed = true;
          return result;
        },
      });
      end({ how: 'done', claim });
    } catch (error) {
      // If no other instance has it, it runs again as soon as the database responds.
      end({ how: isLate ? 'released' : 'failed', claim, error });
    }
  }
  void handle();
  return attempt;
}
