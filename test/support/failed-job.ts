// A job that has failed for good.
import { jobWorker, type Queue } from '#queue/queue.ts';
import type { Store } from '#store/store.ts';
import { until } from './until.ts';

const hopeless = {
  name: 'hopeless',
  deadlineSeconds: 60,
  retries: 0,
  firstRetrySeconds: 1,
  maxRetrySeconds: 1,
  concurrency: 1,
};

const started = new WeakSet<Queue>();

/** Creates the job and runs it until all retries have failed; nothing else may run jobs. Returns its id. */
export async function createFailedJob({ store, queue }: { store: Store; queue: Queue }): Promise<string> {
  const id = await store.transaction((queries) => queue.enqueue(queries, hopeless, {}));
  if (!started.has(queue)) {
    started.add(queue);
    await queue.start([
      jobWorker(hopeless, async () => {
        throw new Error('it cannot be done');
      }),
    ]);
  }
  await until(async () => (await queue.failed()).some((job) => job.id === id), { saw: () => queue.failed() });
  return id;
}
