// A node that takes one job and never ends it, for jobs.test.ts to kill. Its arguments: data folder, and PostgreSQL's address.
import { pino } from 'pino';
import { jobWorker } from '#jobs/jobs.ts';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { openStore } from '#store/open.ts';
import { killedKind } from './jobs-kind.ts';

const [dataFolder, database] = process.argv.slice(2);
const store = await openStore({ dataFolder: dataFolder!, database });
const jobs = await openJobs({ store, clock: systemClock, log: pino({ level: 'silent' }), node: 'killed' }, database);
await jobs.start([
  jobWorker(killedKind, async ({ payload }) => {
    console.log(`holds ${payload.number}`);
    await new Promise(() => {});
  }),
]);
await store.transaction((queries) => jobs.enqueue(queries, killedKind, { number: 1 }));
