import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import {
  storagePoolGetXmlDesc,
  storagePoolListAllVolumes,
  storagePoolLookupByName,
  storageVolDelete,
  storageVolWipe,
} from '#protocols/libvirt/procedures.ts';
import type { Session } from './session.ts';
import { openStorage } from './storage.ts';

describe('volumes of a pool that shows old blocks', () => {
  it('are erased once, however long it takes, and deleted afterwards', async () => {
    const wiped = Promise.withResolvers<void>();
    let volumes = [{ pool: 'blocks', name: 'vm-1.a.qcow2', key: '/dev/blocks/vm-1.a.qcow2' }];
    const wipe = mock.fn(() => wiped.promise);
    const responses = new Map<unknown, () => unknown>([
      [storagePoolLookupByName, () => ({ pool: { name: 'blocks', uuid: Buffer.alloc(16) } })],
      [storagePoolGetXmlDesc, () => ({ xml: "<pool type='logical'/>" })],
      [storagePoolListAllVolumes, () => ({ volumes })],
      [storageVolWipe, wipe],
      [storageVolDelete, () => void (volumes = [])],
    ]);
    const session = { call: async (procedure: unknown) => responses.get(procedure)!() } as unknown as Session;
    const storage = openStorage(session, 'blocks', 1);
    const remove = (): Promise<unknown> =>
      storage.removeAllBut('vm-1', undefined, new AbortController().signal).catch((error: unknown) => error);
    for (const _ of [1, 2]) assert.equal(((await remove()) as { code?: string }).code, 'device_busy');
    assert.equal(volumes.length, 1);
    wiped.resolve();
    assert.equal(await remove(), undefined);
    assert.deepEqual([volumes.length, wipe.mock.callCount()], [0, 1]);
  });
});
