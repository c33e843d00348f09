// The removal of volumes that customers have deleted, on several hypervisors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { ApiError } from '#lib/api-error.ts';
import { systemClock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { backupVolumesInsert } from '#store/devices/backup-volumes.ts';
import { machineBackupChange, machineBackupInsert } from '#store/devices/machine-backups.ts';
import { volumeInsert, volumesToDelete } from '#store/devices/volumes.ts';
import { addAccount, addService } from '#test/support/accounts.ts';
import { openOwnedStore } from '#test/support/store.ts';
import { volumeTidy } from './volume-tidy.ts';

test('a hypervisor that does not respond, fails or takes long holds up no volume of another', async () => {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'volume-tidy');
  const { queries } = store;
  const account = await addAccount(store, 1);
  await addService(store, account, 1, { type: 'vps', vmid: 1 });
  const nodes = [...Array.from({ length: 200 }, () => 'dead'), 'broken', 'slow', 'fine'];
  for (const [index, node] of nodes.entries()) {
    const size = { size_gb: 1, grows_to_gb: null, is_attached: 0, created_at: 0 };
    await volumeInsert(queries, {
      account_id: account,
      service_id: 1,
      node,
      name: `v${index}`,
      state: 'Deleting',
      ...size,
    });
  }
  const slow = Promise.withResolvers<void>();
  const fine = Promise.withResolvers<void>();
  const hypervisors = {
    async use(node: string, work: (hypervisor: object) => unknown) {
      if (node === 'dead') throw new ApiError('node_unreachable');
      if (node === 'broken') throw new Error('a bug');
      if (node === 'slow') await slow.promise;
      await work({ volumes: { remove: async () => {} } });
      if (node === 'fine') fine.resolve();
    },
  } as unknown as Hypervisors;
  const parts = { store, clock: systemClock, log: createLog('silent'), instanceId: 'test', hypervisors };
  const run = volumeTidy(parts).run(new AbortController().signal);
  await Promise.race([fine.promise, run]);
  slow.resolve();
  await assert.rejects(run, /a bug/);
  const left = (await volumesToDelete(queries)).map(({ node }) => node);
  assert.deepEqual([left.length, new Set(left)], [201, new Set(['dead', 'broken'])]);
});

test('a deleted volume is removed only when its backup has ended, which reads a copy of it', async () => {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'volume-tidy');
  const { queries } = store;
  const account = await addAccount(store, 1);
  await addService(store, account, 1, { type: 'vps', vmid: 1 });
  const owner = { account_id: account, service_id: 1, created_at: 0 };
  const [name, size_gb] = ['data', 1];
  const shape = { size_gb, grows_to_gb: null, is_attached: 0 };
  const volume = await volumeInsert(queries, { ...owner, ...shape, node: 'n1', name, state: 'Deleting' });
  const content = { snapshot: null, digest: null, size_bytes: 0, added_bytes: 0, is_consistent: 1 };
  const machine = { hostname: 'vm.example.com', template: 'debian', verified_at: null, verify_error: '' };
  const backup = { ...owner, ...content, ...machine, id: 'b1', source: 'request', state: 'creating' } as const;
  await machineBackupInsert(queries, backup);
  await backupVolumesInsert(queries, [{ backup_id: 'b1', volume_id: volume!.id, account_id: account, name, size_gb }]);
  assert.deepEqual(await volumesToDelete(queries), []);
  await machineBackupChange(queries, 'b1', { state: 'stored' });
  assert.deepEqual(await volumesToDelete(queries), [volume]);
});
