import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import {
  storagePoolGetInfo,
  storagePoolGetXmlDesc,
  storagePoolListAllVolumes,
  storagePoolLookupByName,
  storagePoolRefresh,
  storageVolDelete,
  storageVolGetInfo,
  storageVolWipe,
} from '#protocols/libvirt/procedures.ts';
import { errorCode, LibvirtError } from '#protocols/libvirt/error.ts';
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

describe('the free space of a pool', () => {
  it('is not what the first bytes of a customer’s flat disk claim, and volumes may disappear meanwhile', async () => {
    const sizes: Record<string, bigint> = { 'vm-1.a.qcow2': 8n, 'vm-1.b.flat': 2n ** 62n };
    const volumes = [...Object.keys(sizes), 'vm-1.gone.qcow2'].map((name) => ({ pool: 'files', name, key: name }));
    const infoOf = ({ volume }: { volume: { name: string } }): unknown => {
      const capacity = sizes[volume.name];
      if (capacity === undefined)
        throw new LibvirtError('rejected', 'no such volume', { code: errorCode.noStorageVolume });
      return { capacity, allocation: 3n };
    };
    const responses = new Map<unknown, (args: never) => unknown>([
      [storagePoolLookupByName, () => ({ pool: { name: 'files', uuid: Buffer.alloc(16) } })],
      [storagePoolRefresh, () => ({})],
      [storagePoolGetInfo, () => ({ available: 100n })],
      [storagePoolListAllVolumes, () => ({ volumes })],
      [storageVolGetInfo, infoOf],
    ]);
    const call = async (procedure: unknown, args: never): Promise<unknown> => responses.get(procedure)!(args);
    const { freeSpace } = openStorage({ call } as unknown as Session, 'files');
    assert.deepEqual(await freeSpace(AbortSignal.timeout(10_000)), { freeBytes: 100, growthBytes: 5 });
  });
});

describe('the files of a machine', () => {
  it('stay while a backup is read from one, also if the system that it is of has been replaced', async () => {
    const own = ['vm-1.old.qcow2', 'vm-1.new.qcow2', 'vm-1.b-1.snapshot', 'vm-1.b-1.flat'];
    let volumes = own.map((name) => ({ pool: 'files', name, key: name }));
    const remove = ({ volume }: { volume: { name: string } }): void =>
      void (volumes = volumes.filter(({ name }) => name !== volume.name));
    const responses = new Map<unknown, (args: never) => unknown>([
      [storagePoolLookupByName, () => ({ pool: { name: 'files', uuid: Buffer.alloc(16) } })],
      [storagePoolGetXmlDesc, () => ({ xml: "<pool type='dir'/>" })],
      [storagePoolListAllVolumes, () => ({ volumes })],
      [storageVolDelete, remove],
    ]);
    const call = async (procedure: unknown, args: never): Promise<unknown> => responses.get(procedure)!(args);
    const { removeAllBut } = openStorage({ call } as unknown as Session, 'files');
    const names = async (system: string | undefined) => {
      await removeAllBut('vm-1', system, AbortSignal.timeout(10_000));
      return volumes.map(({ name }) => name);
    };
    assert.deepEqual(await names('new'), own.slice(1));
    assert.deepEqual(await names(undefined), []);
  });
});
