// No-op jobs a second and the time until a job is picked up, on each engine; on PostgreSQL beside bare pg-boss with the same
// batches, in rounds that alternate, of which the median counts, since the machine has its moods.
//
//   node bench/jobs.ts
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { jobWorker, type JobKind } from '#jobs/jobs.ts';
import { openJobs } from '#jobs/open.ts';
import { systemClock } from '#kernel/clock.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { median } from './support/load.ts';

const limits = { ratio: 0.8, pickUpMs: 50 };
const rounds = 7;
const jobsPerRound = 5000;
const atOnce = 100;
const pickUps = 100;

interface Numbered {
  readonly number: number;
}
const settings = {
  deadlineSeconds: 60,
  retries: 3,
  firstRetrySeconds: 1,
  longestRetrySeconds: 60,
  concurrency: atOnce,
};

await using folder = await temporaryFolder('bench');
await using postgres = await startPostgres();
const sqlite = await openStore({ dataFolder: folder.path, database: undefined });
const onPostgres = await openStore({ dataFolder: folder.path, database: postgres.url });

const rates = { sqlite: [] as number[], postgres: [] as number[], bare: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  const results = {
    sqlite: await rate(sqlite, undefined, `round-${round}`),
    bare: await bareRate(postgres.url, `bare-${round}`),
    postgres: await rate(onPostgres, postgres.url, `round-${round}`),
  };
  // The first warms up.
  if (round > 0) for (const [name, value] of Object.entries(results)) rates[name as keyof typeof rates].push(value);
}
const ratio = median(rates.postgres.map((value, round) => value / rates.bare[round]!));
print('bare pg-boss, no-op jobs a second', median(rates.bare).toFixed(0));
print('PostgreSQL, no-op jobs a second', median(rates.postgres).toFixed(0));
print('PostgreSQL, of bare pg-boss', ratio.toFixed(2), `>= ${limits.ratio.toFixed(2)}`, ratio >= limits.ratio);
print('SQLite, no-op jobs a second', median(rates.sqlite).toFixed(0));
for (const [name, store, database] of [
  ['PostgreSQL', onPostgres, postgres.url],
  ['SQLite', sqlite, undefined],
] as const) {
  const ms = await pickUpMs(store, database);
  print(`${name}, pick-up at the median, ms`, ms.toFixed(1), `< ${limits.pickUpMs}`, ms < limits.pickUpMs);
}
await sqlite.close();
await onPostgres.close();

async function open(store: Store, database: string | undefined) {
  return openJobs({ store, clock: systemClock, log: pino({ level: 'error' }), node: 'bench' }, database);
}

async function rate(store: Store, database: string | undefined, name: string): Promise<number> {
  const kind: JobKind<Numbered> = { ...settings, name };
  const jobs = await open(store, database);
  await store.transaction(async (queries) => {
    for (let number = 0; number < jobsPerRound; number++) await jobs.enqueue(queries, kind, { number });
  });
  let handled = 0;
  const all = Promise.withResolvers<void>();
  const begun = performance.now();
  await jobs.start([
    jobWorker(kind, async () => {
      if (++handled === jobsPerRound) all.resolve();
    }),
  ]);
  await all.promise;
  const seconds = (performance.now() - begun) / 1000;
  await jobs.stop();
  return jobsPerRound / seconds;
}

async function bareRate(url: string, name: string): Promise<number> {
  const boss = new PgBoss({ connectionString: url, max: 5, schedule: false, useListenNotify: true });
  await boss.start();
  await boss.createQueue(name, { notify: true, heartbeatSeconds: 45, retryLimit: 3, retryBackoff: true });
  await boss.insert(
    name,
    Array.from({ length: jobsPerRound }, (_, number) => ({ data: { number } })),
  );
  let handled = 0;
  const all = Promise.withResolvers<void>();
  const begun = performance.now();
  await boss.work(name, { batchSize: atOnce, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    handled += jobs.length;
    if (handled === jobsPerRound) all.resolve();
  });
  await all.promise;
  const seconds = (performance.now() - begun) / 1000;
  await boss.stop({ graceful: true });
  return jobsPerRound / seconds;
}

/** From the commit that enqueued to the handler, with nothing else to do. */
async function pickUpMs(store: Store, database: string | undefined): Promise<number> {
  const kind: JobKind<Numbered> = { ...settings, name: 'pick-up' };
  const jobs = await open(store, database);
  let picked = Promise.withResolvers<void>();
  await jobs.start([jobWorker(kind, async () => picked.resolve())]);
  const times: number[] = [];
  for (let number = 0; number < pickUps; number++) {
    picked = Promise.withResolvers<void>();
    await store.transaction((queries) => jobs.enqueue(queries, kind, { number }));
    const committed = performance.now();
    await picked.promise;
    times.push(performance.now() - committed);
    await new Promise((resolve) => void setTimeout(resolve, 10 + Math.random() * 20));
  }
  await jobs.stop();
  return median(times);
}

function print(what: string, value: string, limit = '', met?: boolean): void {
  const verdict = met === undefined ? '' : met ? 'met' : 'not met';
  console.log([what.padEnd(44), value.padStart(6), limit.padEnd(8), verdict].join('  ').trimEnd());
  if (met === false) process.exitCode = 1;
}
