// Device locks as two instances on one database see them, on both engines.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { deviceLockFind, deviceLockAcquire } from '#store/devices/device-locks.ts';
import { createLog } from '#lib/log.ts';
import { openLeaseFeed } from '#store/work/leases.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { openTestStore } from '#test/support/store.ts';
import { runDeviceCommand } from './device-command.ts';
import { withResources } from '#test/support/resources.ts';

const device = 'dc01r01ds01';
const log = createLog('silent');
const lockOf = (holder: string, purpose = holder) => ({ device, holder, purpose });

describeOnEngines("a device's lock", ({ newDatabase }) => {
  async function openInstances() {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('locks'));
    const { database: url } = await newDatabase();
    let aheadMs = 0;
    const clock = { now: () => Date.now() + aheadMs };
    const openInstance = async () => {
      const store = await openTestStore({ dataFolder: folder.path, database: url });
      owned.defer(() => store.close());
      const leaseFeed = openLeaseFeed({ store, clock, log });
      owned.defer(() => leaseFeed.close());
      return { store, clock, leaseFeed };
    };
    const [first, second] = [await openInstance(), await openInstance()];
    return withResources(owned, {
      first,
      second,
      pass: (milliseconds: number) => void (aheadMs += milliseconds),
    });
  }

  it('is held by one command at a time, and the others wait', async () => {
    await using instances = await openInstances();
    const { first, second } = instances;
    let running = 0;
    const command = async () => {
      assert.equal(++running, 1);
      await sleep(30);
      running--;
    };
    const commands = Array.from({ length: 6 }, (_, index) =>
      runDeviceCommand(index % 2 ? first : second, lockOf(`h${index}`), command),
    );
    await Promise.all(commands);
    assert.equal(await deviceLockFind(first.store.queries, device, Date.now()), undefined);
  });

  it('rejects a command that waited too long, naming the one that is running', async () => {
    await using instances = await openInstances();
    const { first, second, pass } = instances;
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = runDeviceCommand(first, lockOf('first', 'a power-on'), () => promise);
    while ((await deviceLockFind(second.store.queries, device, 0)) === undefined) await sleep(5);
    const rejected = runDeviceCommand(second, lockOf('second'), async () => assert.fail('the command ran'));
    await sleep(150);
    pass(5001);
    const message = 'The device is busy: a power-on is running. Try again when it has finished.';
    await assert.rejects(rejected, (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.message], ['device_busy', message]);
      return true;
    });
    resolve();
    await running;
  });

  it('is released by a command that fails, and does not affect other devices', async () => {
    await using instances = await openInstances();
    const { first, second } = instances;
    await assert.rejects(
      runDeviceCommand(first, lockOf('first'), async () => {
        await runDeviceCommand(second, { ...lockOf('other'), device: 'dc01r01ds02' }, async () => {});
        throw new Error('it failed');
      }),
      /it failed/,
    );
    await runDeviceCommand(second, lockOf('second'), async () => {});
  });

  it('expires if its holder is gone', async () => {
    await using instances = await openInstances();
    const { first, second, pass } = instances;
    const lost = { ...lockOf('lost'), held_until: first.clock.now() + 30_000 };
    assert.equal(await deviceLockAcquire(first.store.queries, lost, first.clock.now()), true);
    assert.equal(await deviceLockAcquire(second.store.queries, { ...lost, holder: 'next' }, second.clock.now()), false);
    pass(30_001);
    await runDeviceCommand(second, lockOf('next'), async () => {});
  });

  it('counts the wait for the lock towards the time limit', async () => {
    await using instances = await openInstances();
    const { first, second } = instances;
    const running = runDeviceCommand(first, lockOf('first'), () => sleep(300));
    while ((await deviceLockFind(second.store.queries, device, 0)) === undefined) await sleep(5);
    const isLate = async (signal: AbortSignal) => signal.aborted;
    assert.equal(await runDeviceCommand(second, lockOf('second'), isLate, { timeoutMs: 100 }), true);
    await running;
  });
});
