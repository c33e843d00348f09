// One attempt at a job: its handler, its deadline, and the fence around what it writes.
import type { Log } from '#kernel/log.ts';
import type { Queries, Store } from '#store/store.ts';
import { JobLost, type JobWorker } from './jobs.ts';
import type { Claim, Ledger, Outcome } from './ledger.ts';

export interface Attempt {
  readonly claim: Claim;
  /** Asks the handler to end. */
  abort(reason: Error): void;
  /** Gives the attempt up as failed: what its handler still does goes unheard. */
  fail(reason: Error): void;
  /** Somebody else has the job now. */
  lose(): void;
}

export interface AttemptParts {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly log: Log;
  readonly worker: JobWorker;
  readonly claim: Claim;
  /** Called once. Without an outcome nothing is left to be told of the job. */
  readonly settle: (attempt: Attempt, outcome: Outcome | undefined) => void;
}

export function attemptRun({ store, ledger, log, worker, claim, settle }: AttemptParts): Attempt {
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
      // The heartbeat finds no job where it was completed a moment ago.
      if (completed) return;
      controller.abort(new JobLost());
      end(undefined);
    },
  };
  const deadline = setTimeout(
    () => attempt.fail(new Error(`it took longer than its ${deadlineSeconds} s`)),
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

  const fenced = <T>(fence: Ledger['hold'], work: (queries: Queries) => Promise<T>): Promise<T> =>
    store.transaction(async (queries) => {
      if (await fence(queries, claim)) return work(queries);
      attempt.lose();
      throw new JobLost();
    });

  async function handle(): Promise<void> {
    // Whoever runs the attempt is to have it in hand before it can end.
    await Promise.resolve();
    try {
      await worker.handle({
        id,
        attempt: number,
        payload,
        signal: controller.signal,
        publish: (work) => fenced(ledger.hold, work),
        async complete(work) {
          const result = await fenced(ledger.finish, work);
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
