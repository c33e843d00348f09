// One attempt at a job: its handler, its deadline, and the fence around what it writes.
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
  /** Another attempt has the job now. */
  lose(): void;
}

export interface AttemptOptions {
  readonly store: Store;
  readonly backend: QueueBackend;
  readonly log: Log;
  readonly worker: JobWorker;
  readonly claim: Claim;
  /** Called once. Without an outcome, there is nothing to settle. */
  readonly settle: (attempt: Attempt, outcome: Outcome | undefined) => void;
}

export function startAttempt({ store, backend, log, worker, claim, settle }: AttemptOptions): Attempt {
  const { id, attempt: number, payload } = claim;
  const { deadlineSeconds } = worker.kind;
  const controller = new AbortController();
  let settled = false;
  let completed = false;

  const attempt: Attempt = {
    claim,
    abort: (reason) => controller.abort(reason),
    fail(reason) {
      controller.abort(reason);
      end({ how: 'failed', claim, error: reason });
    },
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

  function end(outcome: Outcome | undefined): void {
    if (settled) return;
    settled = true;
    clearTimeout(deadline);
    if (outcome?.how === 'failed')
      log.warn({ err: outcome.error, job: id, kind: claim.kind, attempt: number }, 'an attempt at a job failed');
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
        signal: controller.signal,
        publish: (work) => fenced(backend.hold, work),
        async complete(work) {
          const result = await fenced(backend.finish, work);
          completed = true;
          return result;
        },
      });
      end({ how: 'done', claim });
    } catch (error) {
      end({ how: 'failed', claim, error });
    }
  }
  void handle();
  return attempt;
}
