import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { StorageVolume } from '#protocols/libvirt/procedures.ts';
import { findRemovable } from './bases.ts';

const volume = (name: string): StorageVolume => ({ pool: 'machines', name, key: `/pool/${name}` });
const backing: Readonly<Record<string, string>> = {
  'vm-1.new.qcow2': '/templates/debian.qcow2',
  'vm-1.old.qcow2': '/pool/vm-1.old.base',
  'vm-1.snap-5.snapshot': '/pool/vm-1.old.base',
  'vm-1.old.base': '/pool/vm-1.old.base2',
};
const files = [
  ...Object.keys(backing),
  'vm-1.old.base2',
  'vm-1.unused.base',
  'vm-1.new.seed',
  'vm-1.old.seed',
  'vm-1.snap-5.running',
].map(volume);

async function removable(isKept: (name: string) => boolean, volumes = files): Promise<string[]> {
  const found = await findRemovable(
    volumes,
    ({ name }) => isKept(name),
    async ({ name }) => backing[name],
  );
  return found.map(({ name }) => name).toSorted();
}

describe('copies of templates that machines took along', () => {
  it('stay while a snapshot of a replaced system is an overlay on one', async () => {
    const kept = (name: string): boolean => name.startsWith('vm-1.new.') || name.includes('.snap-5.');
    assert.deepEqual(await removable(kept), ['vm-1.old.qcow2', 'vm-1.old.seed', 'vm-1.unused.base']);
  });

  it('go with the last overlay, and with the machine', async () => {
    const kept = (name: string): boolean => name.startsWith('vm-1.new.');
    const left = files.filter(({ name }) => !kept(name)).map(({ name }) => name);
    assert.deepEqual(await removable(kept), left.toSorted());
    assert.equal((await removable(() => false)).length, files.length);
  });
});
