// No-op jobs per second, and the time until a job is picked up, on each engine. PostgreSQL is measured next to bare
// pg-boss with the same batches; rounds alternate and the median counts, because timings on this machine vary.
//
//   node bench/jobs.ts
import { PgBoss } from 'pg-boss';
import { pino } from 'pino';
import { jobWorker, type JobKind } from '#queue/queue.ts';
import { openQueue } from '#queue/open.ts';
import { systemClock } from '#lib/clock.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { median, printFigure } from './support/figures.ts';

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
  maxRetrySeconds: 60,
  concurrency: atOnce,
};

await using folder = await temporaryFolder('bench');
await using postgres = await startPostgres();
const sqlite = await openStore({ dataFolder: folder.path, database: undefined });
const onPostgres = await openStore({ dataFolder: folder.path, database: postgres.url });

const rates = { sqlite: [] as number[], postgres: [] as number[], bare: [] as number[] };
for (let round = 0; round <= rounds; round++) {
  const results = {
    sqlite: await measureRate(sqlite, undefined, `round-${round}`),
    bare: await measureBareRate(postgres.url, `bare-${round}`),
    postgres: await measureRate(onPostgres, postgres.url, `round-${round}`),
  };
  // The first round is a warm-up.
  if (round > 0) for (const [name, value] of Object.entries(results)) rates[name as keyof typeof rates].push(value);
}
const ratio = median(rates.postgres.map((value, round) => value / rates.bare[round]!));
printFigure('bare pg-boss, no-op jobs per second', median(rates.bare).toFixed(0));
printFigure('PostgreSQL, no-op jobs per second', median(rates.postgres).toFixed(0));
printFigure(
  'PostgreSQL, jobs per second, times the peer',
  ratio.toFixed(2),
  `>= ${limits.ratio.toFixed(2)}`,
  ratio >= limits.ratio,
  'bare pg-boss',
);
printFigure('SQLite, no-op jobs per second', median(rates.sqlite).toFixed(0));
for (const [name, store, database] of [
  ['PostgreSQL', onPostgres, postgres.url],
  ['SQLite', sqlite, undefined],
] as const) {
  const ms = await measurePickUpMs(store, database);
  printFigure(`${name}, median pick-up time, ms`, ms.toFixed(1), `< ${limits.pickUpMs}`, ms < limits.pickUpMs);
}
await sqlite.close();
await onPostgres.close();

async function openBenchQueue(store: Store, database: string | undefined) {
  return openQueue({ store, clock: systemClock, log: pino({ level: 'error' }), instanceId: 'bench' }, database);
}

async function measureRate(store: Store, database: string | undefined, name: string): Promise<number> {
  const kind: JobKind<Numbered> = { ...settings, name };
  const queue = await openBenchQueue(store, database);
  await store.transaction(async (queries) => {
    for (let number = 0; number < jobsPerRound; number++) await queue.enqueue(queries, kind, { number });
  });
  let handled = 0;
  const all = Promise.withResolvers<void>();
  const startMs = performance.now();
  await queue.start([
    jobWorker(kind, async () => {
      if (++handled === jobsPerRound) all.resolve();
    }),
  ]);
  await all.promise;
  const seconds = (performance.now() - startMs) / 1000;
  await queue.stop();
  return jobsPerRound / seconds;
}

async function measureBareRate(url: string, name: string): Promise<number> {
  const boss = new PgBoss({ connectionString: url, max: 5, schedule: false, useListenNotify: true });
  await boss.start();
  await boss.createQueue(name, { notify: true, heartbeatSeconds: 45, retryLimit: 3, retryBackoff: true });
  await boss.insert(
    name,
    Array.from({ length: jobsPerRound }, (_, number) => ({ data: { number } })),
  );
  let handled = 0;
  const all = Promise.withResolvers<void>();
  const startMs = performance.now();
  await boss.work(name, { batchSize: atOnce, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    handled += jobs.length;
    if (handled === jobsPerRound) all.resolve();
  });
  await all.promise;
  const seconds = (performance.now() - startMs) / 1000;
  await boss.stop({ graceful: true });
  return jobsPerRound / seconds;
}

/** Measures from the commit of the enqueueing transaction to the handler, on an idle queue. */
async function measurePickUpMs(store: Store, database: string | undefined): Promise<number> {
  const kind: JobKind<Numbered> = { ...settings, name: 'pick-up' };
  const queue = await openBenchQueue(store, database);
  let pickedUp = Promise.withResolvers<void>();
  await queue.start([jobWorker(kind, async () => pickedUp.resolve())]);
  const times: number[] = [];
  for (let number = 0; number < pickUps; number++) {
    pickedUp = Promise.withResolvers<void>();
    await store.transaction((queries) => queue.enqueue(queries, kind, { number }));
    const committed = performance.now();
    await pickedUp.promise;
    times.push(performance.now() - committed);
    await new Promise((resolve) => void setTimeout(resolve, 10 + Math.random() * 20));
  }
  await queue.stop();
  return median(times);
}
