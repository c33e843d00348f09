// The conformance test of the part `backups`: a machine is copied, changed, and restored from what was read of the copy. It runs
// on a hypervisor that another suite has started, because real ones are slow to start.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { requireCapability } from './driver.ts';
import type { SnapshotFixture } from './snapshot-conformance.ts';

const name = 'vm-4713';
const other = 'vm-4714';
const soon = (): AbortSignal => AbortSignal.timeout(240_000);

export interface BackupFixture extends Pick<
  SnapshotFixture,
  'hypervisor' | 'template' | 'shape' | 'writeContent' | 'readContent'
> {
  readonly volume: {
    readonly sizeGb: number;
    /** Writes a text to a volume that is not attached, and reads it. */
    write(id: string, text: string): Promise<void>;
    read(id: string): Promise<string>;
    /** Reads what `writeContent` has written from a volume that was made from the disk of a system. */
    readSystem(id: string): Promise<string>;
  };
}

export async function checkBackups(fixture: BackupFixture): Promise<void> {
  const { hypervisor, template, shape, writeContent, readContent } = fixture;
  const { machines, systems, power } = hypervisor;
  const backups = requireCapability(hypervisor, 'backups');
  const copyOnce = async (id: string) => {
    for (;;) {
      try {
        return await backups.copy(name, id, soon());
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'device_busy') throw error;
        await sleep(100);
      }
    }
  };
  const network = { addresses: [{ address: '192.0.2.13', prefixLength: 24 }], nameServers: [], sshKeys: [] };
  const first = { id: 'first', template, hostname: 'vm.example.com', rootPassword: 'Some-pass-1', ...network };
  await machines.create(name, { ...shape, mac: '52:54:00:12:47:13' }, first, soon());
  await writeContent(name, 'before');
  assert.deepEqual(await copyOnce('b-1'), { isConsistent: true });
  // Completing a copy that exists.
  assert.deepEqual(await copyOnce('b-1'), { isConsistent: true });
  await writeContent(name, 'after');
  const content = await collectSparse(backups.read(name, 'b-1', soon()));
  await backups.discard(name, 'b-1', soon());
  await backups.discard(name, 'b-1', soon());
  await assert.rejects(collectSparse(backups.read(name, 'b-1', soon())), { code: 'not_found' });

  // Content that ends early builds nothing that can be used.
  const half = content.slice(0, Math.max(1, Math.floor(content.length / 2)));
  await assert.rejects(backups.restore(name, 'restored', failAfter(half), soon()), /the storage failed/);
  await assert.rejects(systems.use(name, 'restored', soon()), { code: 'not_found' });

  // Restoring again replaces what an interrupted attempt has built.
  await backups.restore(name, 'restored', replay(content), soon());
  await assert.rejects(backups.restore(name, 'first', replay(content), soon()));
  assert.equal(await systems.current(name, soon()), 'first');
  assert.equal(await readContent(name), 'after');
  await systems.use(name, 'restored', soon());
  assert.equal(await readContent(name), 'before');
  await systems.tidy(name, soon());
  await power.set(name, 'on', soon());
  // It is consistent if the system has an agent.
  await copyOnce('b-2');
  assert.equal(await power.state(name, soon()), 'on');
  await backups.discard(name, 'b-2', soon());
  await checkRestores(fixture, content);
  await machines.remove(name, soon());
}

/** The content of a system becomes another machine, and a volume. The content of a volume becomes another one. */
async function checkRestores(fixture: BackupFixture, content: readonly Buffer[]): Promise<void> {
  const { hypervisor, shape, readContent, volume } = fixture;
  const { machines, power } = hypervisor;
  const [backups, snapshots, volumes] = [
    requireCapability(hypervisor, 'backups'),
    requireCapability(hypervisor, 'snapshots'),
    requireCapability(hypervisor, 'volumes'),
  ];
  await assert.rejects(backups.createTemplate('restore-1', failAfter(content.slice(0, 1)), soon()));
  await backups.createTemplate('restore-1', replay(content), soon());
  const network = { addresses: [{ address: '192.0.2.14', prefixLength: 24 }], nameServers: [], sshKeys: [] };
  const first = {
    id: 'first',
    template: 'restore-1',
    hostname: 'new.example.com',
    rootPassword: 'Some-pass-2',
    ...network,
  };
  await machines.create(other, { ...shape, mac: '52:54:00:12:47:14' }, first, soon());
  for (let times = 0; times < 2; times++) await snapshots.removeTemplate('restore-1', soon());
  assert.equal(await readContent(other), 'before');
  await machines.remove(other, soon());
  await assert.rejects(machines.create(other, { ...shape, mac: '52:54:00:12:47:14' }, first, soon()));

  const [system, empty] = [
    { id: 'vol-71', sizeGb: shape.diskGb },
    { id: 'vol-72', sizeGb: volume.sizeGb },
  ];
  await assert.rejects(backups.createVolume(system, name, 'system', failAfter(content.slice(0, 1)), soon()));
  await backups.createVolume(system, name, 'system', replay(content), soon());
  await volumes.attach(system.id, name, soon());
  assert.deepEqual(await volumes.list(name, soon()), [system]);
  await assert.rejects(backups.createVolume(system, name, 'system', replay(content), soon()));
  // A guest without an operating system releases no volume.
  await power.set(name, 'off', soon());
  assert.equal(await volume.readSystem(system.id), 'before');
  await volumes.detach(system.id, name, soon());
  await volumes.remove(system.id, soon());

  await volumes.create(empty, name, soon());
  await volume.write(empty.id, 'first');
  await volumes.attach(empty.id, name, soon());
  await power.set(name, 'on', soon());
  await backups.copyVolume(empty.id, name, 'b-3', soon());
  await backups.copyVolume(empty.id, name, 'b-3', soon());
  const stored = await collectSparse(backups.readVolume(empty.id, 'b-3', soon()));
  for (let times = 0; times < 2; times++) await backups.discardVolume(empty.id, name, 'b-3', soon());
  await assert.rejects(collectSparse(backups.readVolume(empty.id, 'b-3', soon())), { code: 'not_found' });
  await power.set(name, 'off', soon());
  await volumes.detach(empty.id, name, soon());
  await backups.copyVolume(empty.id, name, 'b-4', soon());
  await volumes.remove(empty.id, soon());
  await backups.createVolume(empty, name, 'volume', replay(stored), soon());
  await assert.rejects(collectSparse(backups.readVolume(empty.id, 'b-4', soon())), { code: 'not_found' });
  assert.equal(await volume.read(empty.id), 'first');
  await volumes.remove(empty.id, soon());
}

const zeros = Buffer.alloc(2 ** 21);

/** Keeps one block of zeros, of which disks have many. */
async function collectSparse(content: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of content)
    chunks.push(chunk.length === zeros.length && chunk.equals(zeros) ? zeros : Buffer.from(chunk));
  return chunks;
}

async function* replay(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
}

async function* failAfter(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
  throw new Error('the storage failed');
}
