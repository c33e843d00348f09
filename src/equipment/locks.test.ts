// Locks as two nodes meet them: the database is theirs together, on both engines.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#kernel/fault.ts';
import { deviceLockFind, deviceLockTake } from '#store/devices/device-locks.ts';
import { openStore } from '#store/open.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { engines } from '#test/support/yard.ts';
import { withDeviceLock } from './locks.ts';

for (const { engine, suite, start } of engines) {
  describe(`a device's lock on ${engine}`, suite, () => {
    let database: Awaited<ReturnType<typeof start>>;
    before(async () => {
      database = await start();
    });
    after(() => database[Symbol.asyncDispose]());

    async function openNodes() {
      await using owned = new AsyncDisposableStack();
      const folder = owned.use(await temporaryFolder('locks'));
      const { database: url } = await database.newDatabase();
      const store = async () => {
        const opened = await openStore({ dataFolder: folder.path, database: url });
        owned.defer(() => opened.close());
        return opened;
      };
      let ahead = 0;
      const clock = { now: () => Date.now() + ahead };
      const [one, two] = [
        { store: await store(), clock },
        { store: await store(), clock },
      ];
      const kept = owned.move();
      return {
        one,
        two,
        pass: (milliseconds: number) => void (ahead += milliseconds),
        [Symbol.asyncDispose]: () => kept.disposeAsync(),
      };
    }
    const lock = (holder: string, purpose = holder) => ({ device: 'dc01r01ds01', holder, purpose });

    it('is held by one at a time, and whoever waits gets his turn', async () => {
      await using nodes = await openNodes();
      const { one, two } = nodes;
      let inside = 0;
      const work = async () => {
        assert.equal(++inside, 1);
        await sleep(30);
        inside--;
      };
      const all = Array.from({ length: 6 }, (_, index) =>
        withDeviceLock(index % 2 ? one : two, lock(`h${index}`), work),
      );
      await Promise.all(all);
      assert.equal(await deviceLockFind(one.store.queries, 'dc01r01ds01', Date.now()), undefined);
    });

    it('names what is running to who waited too long', async () => {
      await using nodes = await openNodes();
      const { one, two, pass } = nodes;
      const { promise, resolve } = Promise.withResolvers<void>();
      const first = withDeviceLock(one, lock('first', 'power on'), () => promise);
      while ((await deviceLockFind(two.store.queries, 'dc01r01ds01', 0)) === undefined) await sleep(5);
      const second = withDeviceLock(two, lock('second'), async () => assert.fail('it ran'));
      await sleep(150);
      pass(5001);
      await assert.rejects(second, (error: unknown) => {
        assert.ok(error instanceof Fault);
        assert.deepEqual([error.code, error.message], ['device_busy', 'The device is busy: power on is running.']);
        return true;
      });
      resolve();
      await first;
    });

    it('is let go also by work that fails, and another device is not touched by it', async () => {
      await using nodes = await openNodes();
      const { one, two } = nodes;
      await assert.rejects(
        withDeviceLock(one, lock('first'), async () => {
          await withDeviceLock(two, { ...lock('other'), device: 'dc01r01ds02' }, async () => {});
          throw new Error('it failed');
        }),
        /it failed/,
      );
      await withDeviceLock(two, lock('second'), async () => {});
    });

    it('lapses where its holder is gone', async () => {
      await using nodes = await openNodes();
      const { one, two, pass } = nodes;
      const dead = { ...lock('dead'), held_until: one.clock.now() + 30_000 };
      assert.equal(await deviceLockTake(one.store.queries, dead, one.clock.now()), true);
      assert.equal(await deviceLockTake(two.store.queries, { ...dead, holder: 'next' }, two.clock.now()), false);
      pass(30_001);
      await withDeviceLock(two, lock('next'), async () => {});
    });
  });
}
