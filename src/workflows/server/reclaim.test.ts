// Not covered by the harness: BMCs that lack what a reclaim needs or stop responding, and what engineers sign off.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { switchSealContext } from '#equipment/switches.ts';
import { startLabSwitch } from '#lab/switch/switch.ts';
import { secretBox } from '#lib/secrets.ts';
import { setBootOptions } from '#protocols/ipmi/commands/boot.ts';
import { chassisControl } from '#protocols/ipmi/commands/chassis.ts';
import { reclaimFind, reclaimFindings, reclaimLoad } from '#store/devices/reclaims.ts';
import { serverFind, serverMove } from '#store/devices/servers.ts';
import { portsPut, switchPut } from '#store/network/switches.ts';
import { makeFormerServer } from '#test/support/reclaim-fixtures.ts';
import { serverReclaim } from './reclaim.ts';
import { runToEnd } from '../engine/harness.ts';
import { failed } from '../engine/workflow.ts';

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

test('a server that failed to be erased is cut from the network, even if its BMC cannot power it off', async () => {
  await using fixture = await makeFormerServer();
  const { store, bmc, input } = fixture;
  const port = { ifIndex: 7, name: 'ge-0/0/7', alias: '', speedBitsPerSecond: 1e9 };
  await using lab = await startLabSwitch({ ports: [port], communities: { readWrite: 'lab' } });
  const settings = JSON.stringify({ address: lab.address, port: lab.port, community: 'lab' });
  const sealed = secretBox(Buffer.alloc(32)).seal(settings, switchSealContext('sw'));
  await switchPut(store.queries, { name: 'sw', driver: 'snmp', settings: sealed });
  const cable = { switch: 'sw', if_index: 7, service_id: null, key_by: null, key: null };
  await portsPut(store.queries, [{ ...cable, server: input.server }]);
  const seen: unknown[] = [];
  await runToEnd(serverReclaim, fixture, {
    async before(direction, step) {
      if (direction === 'do') return step === 'erase' ? failed('internal_error', 'injected') : undefined;
      if (step !== 'boot') return undefined;
      // Before the first attempt to undo the boot, and before the second.
      seen.push([bmc.chassis.power, lab.ports.get(7)!.adminStatus]);
      bmc.setMalfunctions(seen.length === 1 ? { rejectedCommands: [chassisControl] } : {});
      return undefined;
    },
  });
  const [first, second] = seen;
  assert.deepEqual(first, ['on', 'up']);
  assert.deepEqual(second, ['on', 'down']);
  assert.equal(bmc.chassis.power, 'off');
});
