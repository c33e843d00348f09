import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#lib/api-error.ts';
import { connections } from './connections.ts';

/** A device whose settings can change and whose sessions are counted. Opening a session waits for `reply(revision)`. */
function openDevice() {
  const replies = new Map<number, PromiseWithResolvers<void>>();
  const reply = (revision: number) => {
    const pending = replies.get(revision) ?? Promise.withResolvers<void>();
    replies.set(revision, pending);
    return pending;
  };
  const opened: number[] = [];
  const closed: number[] = [];
  let current = 1;
  const devices = connections<AsyncDisposable & { readonly revision: number }>(
    { now: Date.now },
    'bmc_unreachable',
    async () => {
      const revision = current;
      return {
        revision,
        async open() {
          await reply(revision).promise;
          opened.push(revision);
          return { revision, [Symbol.asyncDispose]: async () => void closed.push(revision) };
        },
      };
    },
  );
  return {
    opened,
    closed,
    reply,
    close: () => devices.close(),
    changeSettings: () => void current++,
    use: (work: () => Promise<unknown> = async () => {}) =>
      devices.use('one', async ({ revision }) => {
        await work();
        return revision;
      }),
  };
}
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe('connections to equipment', () => {
  it('keep the newer session when opening one with the old settings fails', async () => {
    const device = openDevice();
    const old = assert.rejects(device.use());
    await settle();
    device.changeSettings();
    device.reply(2).resolve();
    assert.equal(await device.use(), 2);
    device.reply(1).reject(new ApiError('bmc_unreachable'));
    await old;
    await settle();
    assert.equal(await device.use(), 2);
    assert.deepEqual(device.opened, [2]);
    await device.close();
    assert.deepEqual(device.closed, [2]);
  });

  it('stay open under a command that is running, whether the settings change or the process stops', async () => {
    const device = openDevice();
    for (const revision of [1, 2]) device.reply(revision).resolve();
    const running = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = device.use(() => running[0]!.promise);
    await settle();
    device.changeSettings();
    const second = device.use(() => running[1]!.promise);
    await settle();
    const closing = device.close();
    await settle();
    assert.deepEqual(device.closed, []);
    running[0]!.resolve();
    assert.equal(await first, 1);
    await settle();
    assert.deepEqual(device.closed, [1]);
    running[1]!.resolve();
    assert.equal(await second, 2);
    await closing;
    assert.deepEqual(device.closed, [1, 2]);
  });

  it('that could not be opened are opened again by the next command', async () => {
    const device = openDevice();
    device.reply(1).reject(new ApiError('bmc_unreachable'));
    await assert.rejects(device.use());
    await assert.rejects(device.use());
    assert.deepEqual(device.opened, []);
  });
});
