// Transfers in processes: their results, their errors, and that an aborted one ends.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startLabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { untilDefined } from '#test/support/until.ts';
import { labHypervisorDriver } from '../hypervisor/lab.ts';
import { runTransferInProcess } from './process.ts';
import type { TransferRequest } from './transfer.ts';

const token = 'secret-enough';
const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:00:00:01', networks: [] };
const system = { id: 'first', template: 'debian-12', hostname: 'vm.example.com', rootPassword: 'secret', sshKeys: [] };
const network = { addresses: [], nameServers: [] };

const secretSetting = 'HOSTYARD_DATABASE_OF_A_TEST';

test('a process stores a machine, passes on errors, and ends when it is aborted', async (t) => {
  process.env[secretSetting] = 'postgres://user:password@host/database';
  t.after(() => delete process.env[secretSetting]);
  await using folder = await temporaryFolder('transfers');
  await using node = await startLabHypervisor({ token, timing: { buildMs: 0 }, fillMb: 1 });
  const settings = { address: node.address, port: node.port, token };
  await using hypervisor = await labHypervisorDriver.open(settings);
  const patience = AbortSignal.timeout(300_000);
  await hypervisor.machines.create('vm-1', shape, { ...system, ...network }, patience);
  await hypervisor.backups!.copy('vm-1', 'b-1', patience);
  const access = { name: 'machine-1', password: 'secret' };
  const repository = { settings: { driver: 'lab', path: folder.path }, access } as const;
  const machine = { driver: 'lab', settings, name: 'vm-1' };
  const run = (request: TransferRequest) => runTransferInProcess(request, patience);

  const stored = await run({ kind: 'store', repository, machine, copy: 'b-1', isNew: true });
  assert.ok(stored.sizeBytes > 2 ** 20 && stored.addedBytes === stored.sizeBytes);
  const { snapshot = '' } = stored;
  const damaged = run({ kind: 'verify', repository, snapshot, digest: 'other', scratch: folder.path });
  await assert.rejects(damaged, { name: 'ApiError', code: 'backup_error' });

  node.setMalfunctions({ isSilent: true });
  const controller = new AbortController();
  const stuck = runTransferInProcess(
    { kind: 'store', repository, machine, copy: 'b-1', isNew: false },
    controller.signal,
  );
  const child = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ').at(-1)!;
  // Empty until the kernel has set up the memory of the new program.
  const environment = await untilDefined(async () => readFileSync(`/proc/${child}/environ`, 'utf8') || undefined);
  assert.ok(environment.includes('PATH=') && !environment.includes(secretSetting), environment);
  controller.abort(new Error('enough'));
  await assert.rejects(stuck, /enough/);
});

test('a server without free file descriptors gets an error and goes on', async () => {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    const { runTransferInProcess } = await import(${JSON.stringify(import.meta.resolve('./process.ts'))});
    let last;
    try { for (;;) last = openSync('/dev/null'); } catch {}
    closeSync(last);
    await runTransferInProcess({}, new AbortController().signal).catch(({ code }) => console.log(code));
    await new Promise((resolve) => setTimeout(resolve, 50));
    console.log('goes on');`;
  const args = ['-c', 'ulimit -n 64; exec "$0" --input-type=module --eval "$1"', process.execPath, script];
  assert.equal((await promisify(execFile)('bash', args)).stdout, 'EMFILE\ngoes on\n');
});
