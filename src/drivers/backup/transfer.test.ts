// Transfers between a simulated hypervisor and a repository: restored content is compared before it counts.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, open, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startLabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { labHypervisorDriver } from '../hypervisor/lab.ts';
import { runTransfer, type TransferRequest } from './transfer.ts';

const token = 'secret-enough';
const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:00:00:01', networks: [] };
const first = { id: 'first', template: 'debian-12', hostname: 'vm.example.com', rootPassword: 'secret', sshKeys: [] };

test('a machine is stored, verified and restored; damaged content is neither', async () => {
  await using folder = await temporaryFolder('transfers');
  await using scratch = await temporaryFolder('scratch');
  await using node = await startLabHypervisor({ token, timing: { buildMs: 0 }, fillMb: 1 });
  const settings = { address: node.address, port: node.port, token };
  await using hypervisor = await labHypervisorDriver.open(settings);
  const patience = AbortSignal.timeout(120_000);
  await hypervisor.machines.create('vm-1', shape, { ...first, addresses: [], nameServers: [] }, patience);
  await hypervisor.backups!.copy('vm-1', 'b-1', patience);
  const access = { name: 'machine-1', password: 'secret' };
  const repository = { settings: { driver: 'lab', path: folder.path }, access } as const;
  const machine = { driver: 'lab', settings, name: 'vm-1' };
  const run = (request: TransferRequest) => runTransfer(request, patience);
  const { systems } = node.machines.get('vm-1')!.state;

  const stored = await run({ kind: 'store', repository, machine, copy: 'b-1', isNew: true });
  assert.ok(stored.sizeBytes > 2 ** 20 && stored.addedBytes === stored.sizeBytes);
  const { snapshot = '', digest } = stored;
  const verified = await run({ kind: 'verify', repository, snapshot, digest, scratch: scratch.path });
  assert.deepEqual([verified.sizeBytes, verified.digest], [stored.sizeBytes, digest]);
  await run({ kind: 'restore', repository, machine, system: 'again', snapshot, digest });
  assert.equal(systems['again']?.hostname, 'vm.example.com');

  await writeFile(join(folder.path, 'machine-1', snapshot), `${JSON.stringify(systems['again'])}\n`);
  const error = { name: 'ApiError', code: 'backup_error' };
  await assert.rejects(run({ kind: 'verify', repository, snapshot, digest, scratch: scratch.path }), error);
  const missing = join(scratch.path, 'missing');
  const unusable = { ...error, internal: new RegExp(`^the folder ${missing} .*ENOENT`) };
  await assert.rejects(run({ kind: 'verify', repository, snapshot, digest, scratch: missing }), unusable);
  await assert.rejects(run({ kind: 'restore', repository, machine, system: 'damaged', snapshot, digest }), error);
  assert.equal(systems['damaged'], undefined);
  assert.deepEqual(await readdir(scratch.path), []);
  assert.deepEqual((await run({ kind: 'prune', repository, keep: [] })).storedBytes, 0);
});

test('a restored disk has no name in the scratch folder, so that nothing of it outlives the process', async () => {
  await using folder = await temporaryFolder('repository');
  await using scratch = await temporaryFolder('scratch');
  const path = join(folder.path, 'machine-1', 'endless');
  await mkdir(dirname(path));
  await promisify(execFile)('mkfifo', [path]);
  const access = { name: 'machine-1', password: 'secret' };
  const repository = { settings: { driver: 'lab', path: folder.path }, access } as const;
  const controller = new AbortController();
  const verify = { kind: 'verify', repository, snapshot: 'endless', digest: '', scratch: scratch.path } as const;
  const verified = runTransfer(verify, controller.signal);
  // Opens when the transfer reads, which is after it has its file.
  await using pipe = await open(path, 'w');
  await pipe.write(Buffer.alloc(100_000));
  assert.deepEqual(await readdir(scratch.path), []);
  controller.abort(new Error('enough'));
  // Nothing else ends a read that waits for more.
  await pipe.close();
  await assert.rejects(verified);
});
