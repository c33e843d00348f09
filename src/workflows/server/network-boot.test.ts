// Not covered by the harness: a BMC that cannot select a boot device, and one that is silent for long.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { makeBootableServer } from '#test/support/network-boot-fixtures.ts';
import { serverReload } from './network-boot.ts';
import { runToEnd } from '../engine/harness.ts';
import { wait } from '../engine/workflow.ts';

test('a server whose BMC cannot select a boot device is on again after its reload has failed', async () => {
  await using fixture = await makeBootableServer('reload');
  const { bmc } = fixture;
  const initial = await fixture.observe();
  bmc.setMalfunctions({ unsupportedCommands: [setBootOptions] });
  const { status, error_code } = await runToEnd(serverReload, fixture, {});
  assert.deepEqual([status, error_code], ['Failed', 'capability_missing']);
  assert.deepEqual(await fixture.observe(), initial);
});

test('a server stays locked during its reload, however long its BMC takes to respond', async () => {
  await using fixture = await makeBootableServer('reload');
  const { store, input, deps } = fixture;
  const silentMs = 29 * 60_000;
  const silentSteps = new Set(['off', 'aim']);
  let holder: string | undefined;
  const { id, status } = await runToEnd(serverReload, fixture, {
    before: async (_direction, step) => {
      if (silentSteps.delete(step)) return wait(silentMs);
      if (step === 'on')
        holder = (await deviceLockFind(store.queries, input.server, deps.clock.now() + 2 * silentMs))?.holder;
      return undefined;
    },
  });
  assert.deepEqual([status, holder], ['Completed', id]);
});
