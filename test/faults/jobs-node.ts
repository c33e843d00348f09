// An instance that takes one job and never finishes it, for jobs.test.ts to kill. Arguments: data folder and
// PostgreSQL's URL.
import { pino } from 'pino';
import { jobWorker } from '#queue/queue.ts';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { openStore } from '#store/open.ts';
import { killedKind } from './jobs-kind.ts';

const [dataFolder, database] = process.argv.slice(2);
const store = await openStore({ dataFolder: dataFolder!, database });
const queue = await openQueue(
  { store, clock: systemClock, log: pino({ level: 'silent' }), instanceId: 'killed' },
  database,
);
await queue.start([
  jobWorker(killedKind, async ({ payload }) => {
    console.log(`holds ${payload.number}`);
    await new Promise(() => {});
  }),
]);
await store.transaction((queries) => queue.enqueue(queries, killedKind, { number: 1 }));
