// Two instances on PostgreSQL divide the switches that they poll. Slow, because an instance that ends without a word is missed only
// after ten seconds; reconcilers/reconciler.test.ts covers those that join and leave.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { test } from 'node:test';
import { findOwner } from '#reconcilers/share.ts';
import { switchPut } from '#store/network/switches.ts';
import { openStore } from '#store/open.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { until } from '#test/support/until.ts';

const devices = Array.from({ length: 100 }, (_, index) => `dc01sw${String(index).padStart(3, '0')}`);

describeOnEngines('instances', ({ engine, newDatabase }) => {
  if (engine !== 'postgres') return;

  test('poll each device once per interval, and take over those of a killed one', async () => {
    await using owned = new AsyncDisposableStack();
    const folder = owned.use(await temporaryFolder('shared-polling'));
    const { database } = await newDatabase();
    const store = await openStore({ dataFolder: folder.path, database });
    owned.defer(() => store.close());
    await store.transaction(async (queries) => {
      for (const name of devices) await switchPut(queries, { name, driver: 'none', settings: '' });
    });
    const polls: { readonly instance: string; readonly device: string; readonly planned: string }[] = [];
    const startInstance = (instance: string): ChildProcess => {
      const script = join(import.meta.dirname, '../support/polling-instance.ts');
      const child = spawn(process.execPath, [script, database!, instance], { stdio: ['ignore', 'pipe', 'inherit'] });
      owned.defer(() => void child.kill('SIGKILL'));
      createInterface(child.stdout!).on('line', (line) => {
        const [device, planned] = line.split(' ');
        polls.push({ instance, device: device!, planned: planned! });
      });
      return child;
    };
    const first = startInstance('a');
    startInstance('b');
    const isOwn = ({ instance, device }: (typeof polls)[number]) => findOwner(device, ['a', 'b']) === instance;
    const devicesSince = (start: number) => new Set(polls.slice(start).map(({ device }) => device));
    // Until both know of each other, the first polls everything.
    const isDivided = () =>
      polls.length > 0 &&
      devicesSince(-2 * devices.length).size === devices.length &&
      polls.slice(-2 * devices.length).every(isOwn);
    await until(isDivided, { saw: () => polls.length });
    const start = polls.length;
    await until(() => polls.length >= start + 3 * devices.length, { saw: () => polls.length - start });
    const shared = polls.slice(start);
    assert.equal(devicesSince(start).size, devices.length);
    assert.deepEqual(
      shared.filter((poll) => !isOwn(poll)),
      [],
    );
    const intervals = shared.map(({ device, planned }) => `${device} ${planned}`);
    assert.equal(new Set(intervals).size, intervals.length, 'no device is polled twice in an interval');

    first.kill('SIGKILL');
    const killed = polls.length;
    await until(() => devicesSince(killed).size === devices.length, { saw: () => devicesSince(killed).size });
  });
});
