// Not covered by the harness: BMCs that lack what a reclaim needs, and what engineers sign off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { reclaimFind, reclaimFindings, reclaimLoad } from '#store/devices/reclaims.ts';
import { serverFind, serverMove } from '#store/devices/servers.ts';
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

test('a server whose BMC keeps its password is available once its users are signed off', async () => {
  await using fixture = await makeFormerServer();
  const { store, bmc, input } = fixture;
  bmc.setMalfunctions({ ignoresUserChanges: true });
  assert.equal((await runToEnd(serverReclaim, fixture, {})).status, 'Failed');
  const { step, reason } = (await reclaimLoad(store.queries, input.reclaim))!;
  assert.deepEqual([step, reason], ['users', 'The BMC does not accept its new password.']);
  const signedOff = { operator: 'anna', reason: 'checked by hand' };
  await store.transaction((queries) => reclaimFind(queries, input.reclaim, 'users', { at: 1, signedOff }));
  await serverMove(store.queries, input.server, 'reclaiming');
  assert.equal((await runToEnd(serverReclaim, fixture, {})).status, 'Completed');
  assert.equal((await serverFind(store.queries, input.server))!.state, 'available');
});

test('BMC users that cannot be removed after the erasure are asked about in quarantine, and count once they are gone', async () => {
  await using fixture = await makeFormerServer();
  const { store, deps, bmc, input } = fixture;
  const load = async () => (await reclaimLoad(store.queries, input.reclaim))!;
  const failed = await runToEnd(serverReclaim, fixture, {
    before: async (direction, step) => {
      if (direction === 'do' && step === 'stop') {
        await deps.bmcs.use(input.server, ({ users }) =>
          users!.create('again', 'a password', AbortSignal.timeout(5000)),
        );
        bmc.setMalfunctions({ ignoresUserChanges: true });
      }
      return undefined;
    },
  });
  assert.equal(failed.status, 'Failed');
  assert.equal((await load()).step, 'users');
  bmc.setMalfunctions({});
  await serverMove(store.queries, input.server, 'reclaiming');
  assert.equal((await runToEnd(serverReclaim, fixture, {})).status, 'Completed');
  assert.equal(reclaimFindings.decode((await load()).findings).users?.removed, 2);
});
