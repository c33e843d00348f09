// The conformance test of the part `backups`: a machine is copied, changed, and restored from what was read of the copy. It runs
// on a hypervisor that another suite has started, because real ones are slow to start.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { requireCapability } from './driver.ts';
import type { SnapshotFixture } from './snapshot-conformance.ts';

const name = 'vm-4713';
const soon = (): AbortSignal => AbortSignal.timeout(240_000);

export type BackupFixture = Pick<SnapshotFixture, 'hypervisor' | 'template' | 'shape' | 'writeContent' | 'readContent'>;

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
  // Whether it is consistent depends on the agent of the system.
  await copyOnce('b-2');
  assert.equal(await power.state(name, soon()), 'on');
  await backups.discard(name, 'b-2', soon());
  await machines.remove(name, soon());
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
