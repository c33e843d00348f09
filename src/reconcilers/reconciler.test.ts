import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createLog } from '#lib/log.ts';
import { reconcilersAcquire, reconcilerRegister, reconcilerSignal, reconcilerStates } from '#store/work/reconcilers.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openTestStore } from '#test/support/store.ts';
import { until } from '#test/support/until.ts';
import { nextRunAt, startReconcilers, type Reconciler, type ReconcilerParts } from './reconciler.ts';
import { findOwner } from './share.ts';
import { withResources } from '#test/support/resources.ts';

const log = createLog('silent');

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

const devices = ['sw1', 'sw2', 'sw3', 'sw4', 'sw5', 'sw6'];

describeOnEngines('reconcilers', ({ engine, newDatabase }) => {
  /** Two stores on one database, as two instances have them. */
  async function openInstances() {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('reconcilers'));
    const { database } = await newDatabase();
    const openInstance = async () => {
      const store = await openTestStore({ dataFolder: folder.path, database });
      owned.defer(() => store.close());
      return store;
    };
    const [store, other] = [await openInstance(), await openInstance()];
    return withResources(owned, {
      store,
      other,
      start: (list: readonly Reconciler[], parts: Partial<ReconcilerParts> = {}) =>
        startReconcilers({ store, clock: { now: Date.now }, log, instanceId: 'a', ...parts }, list),
      states: () => reconcilerStates(store.queries),
      signal: (name: string) => store.transaction((queries) => reconcilerSignal(queries, name)),
    });
  }

  /** Records the share of its last run. */
  function sharing(): Reconciler & { devices: string } {
    return {
      name: 'polls',
      everySeconds: 1,
      deadlineSeconds: 30,
      isShared: true,
      devices: 'none',
      async run(_, share) {
        this.devices = devices.filter((device) => share?.has(device) ?? true).join(' ');
        return { backlog: 0 };
      },
    };
  }

  if (engine === 'postgres') {
    test('instances divide the devices of a shared reconciler, and take over those of one that leaves', async () => {
      await using instances = await openInstances();
      const { start, other } = instances;
      const [first, second] = [sharing(), sharing()];
      const own = (instance: string) => devices.filter((one) => findOwner(one, ['a', 'b']) === instance).join(' ');
      const running = await start([first]);
      await until(() => first.devices === devices.join(' '));
      const leaving = await start([second], { store: other, instanceId: 'b' });
      await until(() => first.devices === own('a') && second.devices === own('b'), {
        saw: () => [first.devices, second.devices],
      });
      await leaving.stop();
      await until(() => first.devices === devices.join(' '));
      await running.stop();
    });

    test('a shared reconciler is left to an instance whose release does not share', async () => {
      await using instances = await openInstances();
      const { store, start } = instances;
      const [shared, other] = [sharing(), counting('other', 1)];
      await reconcilerRegister(store.queries, shared.name);
      await reconcilersAcquire(store.queries, [shared.name], 'earlier', Date.now(), Date.now() + 3_600_000);
      const running = await start([shared, other]);
      await until(() => other.runs >= 3);
      await running.stop();
      assert.equal(shared.devices, 'none');
    });
  }

  test('runs again earlier if a run asks for it', async () => {
    await using instances = await openInstances();
    const impatient = counting('one', 3600);
    const again = { ...impatient, run: async () => ({ backlog: ++impatient.runs, againInSeconds: 0 }) };
    const running = await instances.start([again]);
    await until(() => impatient.runs >= 2);
    await running.stop();
  });

  test('runs at once, again on signal, and reports its last run', async () => {
    await using instances = await openInstances();
    const { start, states, signal } = instances;
    const reconciler = counting('one', 3600);
    const running = await start([reconciler]);
    await until(() => reconciler.runs === 1);
    await until(async () => (await states())[0]!.last_success_at !== null);
    await signal('one');
    running.wake();
    await until(() => reconciler.runs === 2);
    await running.stop();
    const [state] = await states();
    assert.equal(state!.backlog, 7);
    assert.equal(state!.last_error, null);
    assert.equal(state!.lease_until, 0);
  });

  test('logs the stack of a failure once until it changes', async () => {
    await using instances = await openInstances();
    const { start, signal } = instances;
    let reason = 'no response';
    const failing = counting('one', 3600, () => Promise.reject(new Error(reason)));
    const lines: string[] = [];
    const running = await start([failing], {
      log: pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
    });
    for (const count of [1, 2, 3]) {
      await until(() => lines.length === count);
      if (count === 2) reason = 'no connection';
      await signal('one');
      running.wake();
    }
    await running.stop();
    const logged = lines.slice(0, 3).map((line) => JSON.parse(line) as { detail?: string; err?: { message: string } });
    assert.deepEqual(
      logged.map(({ detail, err }) => detail ?? err?.message),
      ['no response', 'Error: no response', 'no connection'],
    );
  });

  for (const [title, isWoken] of [
    ['a signal during a run is followed by another run', false],
    ['a wake during a run does not wait for the next periodic check', true],
  ] as const)
    test(title, async (context) => {
      if (isWoken) context.mock.timers.enable({ apis: ['setInterval'] });
      await using instances = await openInstances();
      const { start, signal } = instances;
      const gate = Promise.withResolvers<void>();
      const reconciler = counting('one', 3600, () => gate.promise);
      const running = await start([reconciler]);
      await until(() => reconciler.runs === 1);
      await signal('one');
      if (isWoken) running.wake();
      gate.resolve();
      await until(() => reconciler.runs === 2);
      await running.stop();
    });

  test('a wake during a check does not wait for the next periodic check', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] });
    await using instances = await openInstances();
    const { start, states, signal } = instances;
    const reconciler = counting('one', 3600);
    const running = await start([reconciler]);
    await until(async () => (await states())[0]!.last_success_at !== null);
    for (let runs = 2; runs < 22; runs++) {
      running.wake();
      await signal('one');
      running.wake();
      await until(() => reconciler.runs >= runs);
    }
    await running.stop();
  });

  test('a signal in a transaction that is rolled back does nothing', async () => {
    await using instances = await openInstances();
    const { store, start, states } = instances;
    const reconciler = counting('one', 3600);
    const running = await start([reconciler]);
    await until(async () => (await states())[0]!.last_success_at !== null);
    const [before] = await states();
    await assert.rejects(
      store.transaction(async (queries) => {
        await reconcilerSignal(queries, 'one');
        throw new Error('rolled back');
      }),
    );
    assert.deepEqual(await states(), [before]);
    await running.stop();
    assert.equal(reconciler.runs, 1);
  });

  test('a run that ignores its deadline is abandoned, and stopping does not wait for it', async () => {
    await using instances = await openInstances();
    const { start, states } = instances;
    const deaf = { ...counting('deaf', 3600, () => new Promise<never>(() => {})), deadlineSeconds: 0.05 };
    const running = await start([deaf]);
    await until(async () => (await states())[0]!.last_error !== null);
    const [state] = await states();
    assert.match(state!.last_error!, /timeout/i);
    assert.equal(state!.lease_until, 0);
    await running.stop();
  });

  test('a run that a stop interrupts has not failed, and runs again at the next start', async () => {
    await using instances = await openInstances();
    const { start, states } = instances;
    const long = counting('long', 3600);
    long.run = async (signal) =>
      new Promise((_, reject) => {
        long.runs++;
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const running = await start([long]);
    await until(() => long.runs === 1);
    await running.stop();
    const [state] = await states();
    assert.equal(state!.last_error, null);
    assert.ok(state!.run_at <= Date.now());
  });

  test('a failing database does not end the process, and the lease counts as lost', async () => {
    await using instances = await openInstances();
    const { other, start, states } = instances;
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
    const running = await start([renewing, beginning], { clock });
    const signal = await begun.promise;
    await until(async () => (await states())[0]!.last_success_at !== null);
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

  test('two instances never run the same reconciler at the same time, and the last one has precedence', async () => {
    await using instances = await openInstances();
    const { store, other, start } = instances;
    const startedAt = Date.now();
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
        start([reconciler], {
          store: [store, other][index]!,
          instanceId: `n${index}`,
          clock: { now: () => startedAt },
        }),
      ),
    );
    await until(() => {
      for (const reconcilers of running) reconcilers.wake();
      return reconcilers[0]!.runs + reconcilers[1]!.runs >= 20;
    });
    for (const reconcilers of running) await reconcilers.stop();
    assert.equal(most, 1);
    const runs = reconcilers.map((reconciler) => reconciler.runs);
    assert.equal(Math.min(...runs), 0, String(runs));
  });

  test('reconcilers that end together share a commit, and start together again', async () => {
    await using instances = await openInstances();
    const { store, start, states } = instances;
    let commits = 0;
    const stop = store.onCommit(() => commits++);
    const list = ['a', 'b', 'c', 'd', 'e'].map((name) => counting(name, 3600));
    const running = await start(list);
    await until(async () => (await states()).every(({ last_success_at }) => last_success_at !== null));
    await running.stop();
    stop();
    assert.ok(commits < list.length, String(commits));
    const ends = await states();
    assert.deepEqual(
      ends.map(({ backlog }) => backlog),
      [7, 7, 7, 7, 7],
    );
    assert.ok(ends.every(({ run_at }) => run_at % 5000 === 0));
  });

  test('the next run is at most half a grid early or late, and exact if it is soon', () => {
    assert.deepEqual(
      [nextRunAt(12_499, 5), nextRunAt(12_500, 5), nextRunAt(1, 3600), nextRunAt(12_499, 4), nextRunAt(7, 0)],
      [15_000, 20_000, 3_600_000, 16_499, 7],
    );
  });

  test('a reconciler that throws is retried, and its error is recorded', async () => {
    await using instances = await openInstances();
    const { start, states } = instances;
    const reconciler = counting('one', 3600, async () => Promise.reject(new Error('no such switch')));
    const running = await start([reconciler]);
    await until(async () => (await states())[0]!.last_error !== null);
    await running.stop();
    const [state] = await states();
    assert.match(state!.last_error!, /no such switch/);
    assert.equal(state!.last_success_at, null);
    assert.ok(state!.run_at > 0);
  });

  test('an expired lease is taken over', async () => {
    await using instances = await openInstances();
    let ahead = 0;
    const clock = { now: (): number => Date.now() + ahead };
    const { other, start } = instances;
    const release = Promise.withResolvers<void>();
    const hung = counting('one', 0, () => release.promise);
    const gone = await start([hung], { instanceId: 'gone' });
    await until(() => hung.runs === 1);
    const follower = counting('one', 3600);
    const running = await start([follower], { store: other, clock, instanceId: 'next' });
    running.wake();
    assert.equal(follower.runs, 0);
    ahead = 60_000;
    running.wake();
    await until(() => follower.runs === 1);
    await running.stop();
    release.resolve();
    await gone.stop();
  });
});
