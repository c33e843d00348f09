// A job that failed for good, as one does that nobody can carry out.
import { jobWorker, type Jobs } from '#jobs/jobs.ts';
import type { Store } from '#store/store.ts';
import { until } from './until.ts';

const hopeless = {
  name: 'hopeless',
  deadlineSeconds: 60,
  retries: 0,
  firstRetrySeconds: 1,
  longestRetrySeconds: 1,
  concurrency: 1,
};

/** Where nothing else works off the jobs. Answers its id. */
export async function failedJob({ store, jobs }: { store: Store; jobs: Jobs }): Promise<string> {
  const id = await store.transaction((queries) => jobs.enqueue(queries, hopeless, {}));
  await jobs.start([
    jobWorker(hopeless, async () => {
      throw new Error('it cannot be done');
    }),
  ]);
  await until(async () => (await jobs.failed()).some((job) => job.id === id), { saw: () => jobs.failed() });
  return id;
}
