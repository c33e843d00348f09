import { randomBytes } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { pino } from 'pino';
import { systemClock } from '#lib/clock.ts';
import { openStore } from '#store/open.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres, type Postgres } from '#test/support/postgres.ts';
import { jobsConformance, type JobsUnderTest } from './conformance.ts';
import { openQueue } from './open.ts';

describe('jobs on SQLite', { concurrency: true }, () => {
  jobsConformance(() => open(undefined));
});

describe('jobs on PostgreSQL', { ...needs('initdb', 'postgres'), concurrency: true }, () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres[Symbol.asyncDispose]());
  jobsConformance(async () => open(await postgres.createDatabase()));
});

async function open(database: string | undefined): Promise<JobsUnderTest> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('jobs'));
  const store = await openStore({ dataFolder: folder.path, database });
  owned.defer(() => store.close());
  const log = pino({ level: 'silent' });
  const resources = owned.move();
  return {
    store,
    async node() {
      const node = randomBytes(4).toString('hex');
      const queue = await openQueue({ store, clock: systemClock, log, instanceId: node }, database);
      resources.defer(() => queue.stop());
      return queue;
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
