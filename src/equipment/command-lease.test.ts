// The lock of a device whose command takes long, on an instance that loses its database: the command must end before another
// instance may acquire the lock.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { createLog } from '#lib/log.ts';
import { deviceLockAcquire, deviceLockExtend, deviceLockFind } from '#store/devices/device-locks.ts';
import { openLeaseFeed } from '#store/work/leases.ts';
import { withResources } from '#test/support/resources.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { unreliable } from '#test/support/unreliable-store.ts';
import { runDeviceCommand } from './device-command.ts';

const device = 'dc01r01ds01';
const startMs = Date.now();

/** An instance that runs a command of up to 50 s, the longest that a site file allows. */
async function openCommand({ mock }: TestContext) {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'lease');
  let passedMs = 0;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  mock.method(performance, 'now', () => passedMs);
  const clock = { now: () => startMs + passedMs };
  const line = unreliable(store);
  const leaseFeed = openLeaseFeed({ store, clock, log: createLog('silent') });
  owned.defer(() => leaseFeed.close());
  const started = Promise.withResolvers<AbortSignal>();
  const ended = Promise.withResolvers<void>();
  const command = runDeviceCommand(
    { store: line.store, clock, leaseFeed },
    { device, holder: 'first', purpose: 'a power-off' },
    async (signal) => {
      started.resolve(signal);
      await Promise.race([once(signal, 'abort'), ended.promise]);
    },
    { timeoutMs: 50_000 },
  );
  owned.defer(async () => {
    line.become('works');
    ended.resolve();
    await command;
  });
  return withResources(owned, {
    store,
    clock,
    line,
    signal: await started.promise,
    async pass(milliseconds: number) {
      for (let left = milliseconds; left > 0; left -= 500) {
        passedMs += 500;
        mock.timers.tick(500);
        for (let turn = 0; turn < 20; turn++) await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    },
  });
}

test('a command ends two seconds before another instance may acquire the lock', async (context) => {
  await using running = await openCommand(context);
  const { store, clock, line, signal, pass } = running;
  line.become('is cut');
  const other = () => ({ device, holder: 'second', purpose: 'a power-on', held_until: clock.now() + 30_000 });
  let abortedAt: number | undefined;
  const end = clock.now() + 60_000;
  while (clock.now() < end && !(await deviceLockAcquire(store.queries, other(), clock.now()))) {
    await pass(500);
    if (signal.aborted) abortedAt ??= clock.now();
  }
  assert.ok(abortedAt !== undefined, 'two commands ran at once');
  assert.ok(clock.now() - abortedAt >= 2000, `${clock.now() - abortedAt} ms`);
});

test('a command goes on if the lock is renewed, although one renewal fails', async (context) => {
  await using running = await openCommand(context);
  const { store, clock, line, signal, pass } = running;
  line.become('is cut');
  await pass(15_000);
  line.become('works');
  await pass(45_000);
  assert.equal(signal.aborted, false);
  assert.equal((await deviceLockFind(store.queries, device, clock.now()))?.holder, 'first');
});

test('a command whose lock was taken from it ends', async (context) => {
  await using running = await openCommand(context);
  const { store, signal, pass } = running;
  await store.queries.updateTable('device_locks').set({ holder: 'second' }).execute();
  await pass(30_000);
  assert.equal(signal.aborted, true);
});

test('a renewal that arrives after a later one does not shorten the lock', async (context) => {
  await using running = await openCommand(context);
  const { queries } = running.store;
  const now = running.clock.now();
  assert.equal(await deviceLockExtend(queries, device, 'first', now + 40_000), true);
  assert.equal(await deviceLockExtend(queries, device, 'first', now + 35_000), false);
  assert.equal((await deviceLockFind(queries, device, now))?.held_until, now + 40_000);
});
