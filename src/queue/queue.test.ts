import { randomBytes } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '#lib/clock.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres, type Postgres } from '#test/support/postgres.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { jobsConformance, type JobsUnderTest } from './conformance.ts';
import { openQueue } from './open.ts';

describe('jobs on SQLite', { concurrency: true }, () => {
  jobsConformance(() => open(undefined));
});

describe('jobs on PostgreSQL', { ...needs('initdb', 'postgres'), concurrency: true }, () => {
  let postgres: Postgres;
  before(async () => void (postgres = await startPostgres(notDurable)));
  after(() => postgres[Symbol.asyncDispose]());
  jobsConformance(async () => open(await postgres.createStoreDatabase()));
});

async function open(database: string | undefined): Promise<JobsUnderTest> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'jobs', database);
  const log = pino({ level: 'silent' });
  const resources = owned.move();
  return {
    store,
    async instance() {
      const instanceId = randomBytes(4).toString('hex');
      const queue = await openQueue({ store, clock: systemClock, log, instanceId }, database);
      resources.defer(() => queue.stop());
      return queue;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
