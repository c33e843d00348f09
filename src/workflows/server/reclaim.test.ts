// Not covered by the harness: BMCs that lack what a reclaim needs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { reclaimLoad } from '#store/devices/reclaims.ts';
import { serverFind } from '#store/devices/servers.ts';
import { makeFormerServer } from '#test/support/reclaim-fixtures.ts';
import { serverReclaim } from './reclaim.ts';
import { runToEnd } from '../engine/harness.ts';

test('a server whose BMC cannot select a boot device ends in quarantine, where its erasure can be signed off', async () => {
  await using fixture = await makeFormerServer();
  const { store, bmc, input } = fixture;
  bmc.setMalfunctions({ unsupportedCommands: [setBootOptions] });
  assert.equal((await runToEnd(serverReclaim, fixture, {})).status, 'Failed');
  assert.equal((await reclaimLoad(store.queries, input.reclaim))!.step, 'erase');
  assert.equal((await serverFind(store.queries, input.server))!.state, 'quarantined');
});
