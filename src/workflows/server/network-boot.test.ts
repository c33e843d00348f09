// Not covered by the harness: a BMC that cannot select a boot device, one that is silent for long, and a boot that fails after its
// installer has finished.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { reloadLoad, reloadUpdate } from '#store/devices/reloads.ts';
import { serviceFind } from '#store/devices/services.ts';
import { makeBootableServer } from '#test/support/network-boot-fixtures.ts';
import { serverPassword, serverReload, serverRescue } from './network-boot.ts';
import { runToEnd } from '../engine/harness.ts';
import { failed, wait } from '../engine/workflow.ts';

for (const [how, code] of [
  ['unsupportedCommands', 'capability_missing'],
  ['rejectedCommands', 'bmc_error'],
] as const)
  test(`a reload fails with ${code} before the server is touched if its BMC cannot select a boot device`, async () => {
    await using fixture = await makeBootableServer('reload');
    const { bmc } = fixture;
    const initial = await fixture.observe();
    bmc.setMalfunctions({ [how]: [setBootOptions] });
    const { status, error_code } = await runToEnd(serverReload, fixture, {});
    assert.deepEqual([status, error_code], ['Failed', code]);
    assert.deepEqual(await fixture.observe(), initial);
    assert.equal(bmc.chassis.counts.off, 0);
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

for (const [kind, workflow, closing, expected] of [
  ['reload', serverReload, 'confirm', 'Completed'],
  ['password', serverPassword, 'stop', 'Completed'],
  // Writes nothing to the disk, and no longer runs.
  ['rescue', serverRescue, 'confirm', 'Failed'],
] as const)
  test(`a ${kind} whose BMC is silent after its installer has finished ends ${expected}`, async () => {
    await using fixture = await makeBootableServer(kind);
    const { queries } = fixture.store;
    await reloadUpdate(queries, fixture.input.boot, { new_password: 'sealed' });
    await runToEnd(workflow, fixture, {
      before: async (direction, step) =>
        direction === 'do' && step === closing ? failed('bmc_unreachable', 'silent') : undefined,
    });
    const { status, new_password } = (await reloadLoad(queries, fixture.input.boot))!;
    const { system } = (await serviceFind(queries, fixture.account, fixture.service))!;
    assert.deepEqual(
      { status, new_password, system },
      {
        status: expected,
        new_password: expected === 'Completed' ? 'sealed' : null,
        system: kind === 'reload' ? 'Debian 12' : null,
      },
    );
  });
