// Not covered by the harness: a BMC that cannot select a boot device.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { makeBootableServer } from '#test/support/network-boot-fixtures.ts';
import { serverReload } from './network-boot.ts';
import { runToEnd } from '../engine/harness.ts';

test('a server whose BMC cannot select a boot device is on again after its reload has failed', async () => {
  await using fixture = await makeBootableServer('reload');
  const { bmc } = fixture;
  const initial = await fixture.observe();
  bmc.setMalfunctions({ unsupportedCommands: [setBootOptions] });
  const { status, error_code } = await runToEnd(serverReload, fixture, {});
  assert.deepEqual([status, error_code], ['Failed', 'capability_missing']);
  assert.deepEqual(await fixture.observe(), initial);
});
