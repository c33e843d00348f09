import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createLog } from '#lib/log.ts';
import { reconcilerSignal, reconcilerStates } from '#store/work/reconcilers.ts';
import { openStore, type StoreLocation } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { startPostgres } from '#test/support/postgres.ts';
import { until } from '#test/support/until.ts';
import { startReconcilers, type Reconciler } from './reconciler.ts';

const log = createLog('silent');
type OpenStore = () => Promise<{ stores: [Store, Store] } & AsyncDisposable>;

async function twoStores(location: StoreLocation, folder: AsyncDisposable | undefined): ReturnType<OpenStore> {
  const stores: [Store, Store] = [await openStore(location), await openStore(location)];
  return {
    stores,
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

function counting(
  name: string,
  everySeconds: number,
  work: () => Promise<void> = async () => {},
): Reconciler & { runs: number } {
  return {
    name,
    everySeconds,
    deadlineSeconds: 30,
    runs: 0,
    async run() {
      this.runs++;
      await work();
      return { backlog: 7 };
    },
  };
}

function suite(open: OpenStore): void {
  test('runs at once, again on signal, and reports its last run', async () => {
    await using opened = await open();
    const [store] = opened.stores;
    const reconciler = counting('one', 3600);
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [reconciler]);
    await until(() => reconciler.runs === 1);
    await until(async () => (await reconcilerStates(store.queries))[0]!.last_success_at !== null);
    await store.transaction((queries) => reconcilerSignal(queries, 'one'));
    running.wake();
    await until(() => reconciler.runs === 2);
    await running.stop();
    const [state] = await reconcilerStates(store.queries);
    assert.equal(state!.backlog, 7);
    assert.equal(state!.last_error, null);
    assert.equal(state!.holder, null);
  });

  test('a signal during a run is followed by another run', async () => {
    await using opened = await open();
    const [store] = opened.stores;
    const gate = Promise.withResolvers<void>();
    const reconciler = counting('one', 3600, () => gate.promise);
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [reconciler]);
    await until(() => reconciler.runs === 1);
    await store.transaction((queries) => reconcilerSignal(queries, 'one'));
    gate.resolve();
    await until(() => reconciler.runs === 2);
    await running.stop();
  });

  test('a wake during a run does not wait for the next periodic check', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await open();
    const [store] = opened.stores;
    const gate = Promise.withResolvers<void>();
    const reconciler = counting('one', 3600, () => gate.promise);
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [reconciler]);
    await until(() => reconciler.runs === 1);
    await store.transaction((queries) => reconcilerSignal(queries, 'one'));
    running.wake();
    gate.resolve();
    await until(() => reconciler.runs === 2);
    await running.stop();
  });

  test('a wake during a check does not wait for the next periodic check', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    await using opened = await open();
    const [store] = opened.stores;
    const reconciler = counting('one', 3600);
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [reconciler]);
    await until(async () => (await reconcilerStates(store.queries))[0]!.last_success_at !== null);
    for (let runs = 2; runs < 22; runs++) {
      running.wake();
      await store.transaction((queries) => reconcilerSignal(queries, 'one'));
      running.wake();
      await until(() => reconciler.runs >= runs);
    }
    await running.stop();
  });

  test('a signal in a transaction that is rolled back does nothing', async () => {
    await using opened = await open();
    const [store] = opened.stores;
    const reconciler = counting('one', 3600);
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [reconciler]);
    await until(async () => (await reconcilerStates(store.queries))[0]!.last_success_at !== null);
    const [before] = await reconcilerStates(store.queries);
    await assert.rejects(
      store.transaction(async (queries) => {
        await reconcilerSignal(queries, 'one');
        throw new Error('rolled back');
      }),
    );
    assert.deepEqual(await reconcilerStates(store.queries), [before]);
    await running.stop();
    assert.equal(reconciler.runs, 1);
  });

  test('a run that ignores its deadline is abandoned, and stopping does not wait for it', async () => {
    await using opened = await open();
    const [store] = opened.stores;
    const deaf = { ...counting('deaf', 3600, () => new Promise<never>(() => {})), deadlineSeconds: 0.05 };
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [deaf]);
    await until(async () => (await reconcilerStates(store.queries))[0]!.last_error !== null);
    const [state] = await reconcilerStates(store.queries);
    assert.match(state!.last_error!, /timeout/i);
    assert.equal(state!.holder, null);
    await running.stop();
  });

  test('a failing database does not end the process, and the lease counts as lost', async () => {
    await using opened = await open();
    const [store, other] = opened.stores;
    let ahead = 0;
    const clock = { now: (): number => Date.now() + ahead };
    const begun = Promise.withResolvers<AbortSignal>();
    const renewing: Reconciler = {
      ...counting('renewing', 3600),
      async run(signal) {
        begun.resolve(signal);
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        throw signal.reason;
      },
    };
    const beginning = counting('beginning', 3600);
    const running = await startReconcilers({ store, clock, log, instanceId: 'a' }, [renewing, beginning]);
    const signal = await begun.promise;
    await until(async () => (await reconcilerStates(store.queries))[0]!.last_success_at !== null);
    // From now on, leases can be neither taken nor renewed.
    await sql`alter table reconcilers rename column holder to somebody`.execute(other.queries);
    await reconcilerSignal(other.queries, 'beginning');
    running.wake();
    ahead = 60_000;
    await until(() => signal.aborted);
    await running.stop();
    assert.match(String(signal.reason), /the lease is lost/);
    assert.equal(beginning.runs, 1);
  });

  test('two instances never run the same reconciler at the same time', async () => {
    await using opened = await open();
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await pause(5);
      inside--;
    };
    const reconcilers = ['a', 'b'].map(() => counting('shared', 0, work));
    const running = await Promise.all(
      reconcilers.map((reconciler, index) =>
        startReconcilers({ store: opened.stores[index]!, clock: { now: Date.now }, log, instanceId: `n${index}` }, [
          reconciler,
        ]),
      ),
    );
    await until(() => {
      for (const reconcilers of running) reconcilers.wake();
      return reconcilers[0]!.runs + reconcilers[1]!.runs >= 20;
    });
    for (const reconcilers of running) await reconcilers.stop();
    assert.equal(most, 1);
  });

  test('a reconciler that throws is retried, and its error is recorded', async () => {
    await using opened = await open();
    const [store] = opened.stores;
    const reconciler = counting('one', 3600, async () => Promise.reject(new Error('no such switch')));
    const running = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a' }, [reconciler]);
    await until(async () => (await reconcilerStates(store.queries))[0]!.last_error !== null);
    await running.stop();
    const [state] = await reconcilerStates(store.queries);
    assert.match(state!.last_error!, /no such switch/);
    assert.equal(state!.last_success_at, null);
    assert.ok(state!.run_at > 0);
  });

  test('an expired lease is taken over', async () => {
    await using opened = await open();
    let ahead = 0;
    const clock = { now: (): number => Date.now() + ahead };
    const [store] = opened.stores;
    const release = Promise.withResolvers<void>();
    const hung = counting('one', 0, () => release.promise);
    const gone = await startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'gone' }, [hung]);
    await until(() => hung.runs === 1);
    const follower = counting('one', 3600);
    const running = await startReconcilers({ store: opened.stores[1], clock, log, instanceId: 'next' }, [follower]);
    running.wake();
    assert.equal(follower.runs, 0);
    ahead = 60_000;
    running.wake();
    await until(() => follower.runs === 1);
    await running.stop();
    release.resolve();
    await gone.stop();
  });
}

describe('reconcilers on SQLite', () =>
  suite(async () => {
    const folder = await temporaryFolder('reconcilers');
    return twoStores({ dataFolder: folder.path, database: undefined }, folder);
  }));

describe('reconcilers on PostgreSQL', needs('initdb', 'postgres'), () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  before(async () => void (postgres = await startPostgres()));
  after(() => postgres[Symbol.asyncDispose]());
  suite(async () => twoStores({ dataFolder: '', database: await postgres.createDatabase() }, undefined));
});
