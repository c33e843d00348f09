// Customers back up their machines, schedule backups and restore them; the provider tests that they can be restored.
import assert from 'node:assert/strict';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { backupDefaults } from '#app/machines/backup-settings.ts';
import { findVerificationProblem } from '#app/machines/backup-verification.ts';
import { sweepBackups } from '#app/machines/backup-sweep.ts';
import { waitForMachines } from '#app/site/machines.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { dayMs } from '#lib/time.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import type { Methods } from '#sdk/v2.ts';
import type { AccountId } from '#store/account-id.ts';
import { backupsDiscardUnused } from '#store/devices/backup-volumes.ts';
import * as store from '#store/devices/machine-backups.ts';
import { deviceLockAcquire, deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineRemove } from '#store/devices/machines.ts';
import { usageOfAccount } from '#store/pricing/usage.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { backupJob } from '#workflows/machine/backup-job.ts';
import { machineBackupRestore } from '#workflows/machine/machine-backup-restore.ts';
import { waitForLastAction } from '#test/support/actions.ts';
import type { TestApp } from '#test/support/app.ts';
import { assertRejected } from '#test/support/devices.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { listEvents } from '#test/support/event-stream.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { machineSite, smallMachine } from '#test/support/machine-site.ts';
import { asOperator } from '#test/support/operators.ts';
import { request, requestResult, type Envelope, type ErrorResult } from '#test/support/request.ts';
import { until, untilDefined } from '#test/support/until.ts';

type Result<Name extends keyof Methods> = Awaited<ReturnType<Methods[Name]>>;

const token = 'secret-enough';
const timing = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const account = 1 as AccountId;
const path = '/v2/machine/backup';

describeOnEngines('backups of machines', { postgres: 'in long runs' }, ({ owned, openApp }) => {
  let app: TestApp;
  let key: string;
  let node: LabHypervisor;
  let folder: string;
  before(async () => {
    folder = owned.use(await temporaryFolder('repositories')).path;
    node = owned.use(await startLabHypervisor({ token, timing, memoryMb: 8000, diskGb: 1000 }));
    const settings = { address: node.address, port: node.port, token };
    const machines = Array.from({ length: 7 }, () => smallMachine);
    const { site, key: own } = machineSite([{ name: 'ams1', driver: 'lab', settings }], machines);
    key = own;
    const backups = { repository: { driver: 'lab', path: folder }, perMachine: 3 } as const;
    const size = { vcpus: 1, memoryMb: 512, diskGb: 10, addresses: '/32', order: true } as const;
    const plans = [
      { name: 'Small', price: '5.00', cycle: 'monthly', machine: size },
      { name: 'Smaller', price: '4.00', cycle: 'monthly', machine: { ...size, diskGb: 9 } },
    ] as const;
    const netblocks = [...(site.netblocks ?? []), { cidr: '10.65.0.0/24', pool: 'assign' } as const];
    app = await openApp({ worksOffJobs: true, site: { ...site, netblocks, plans: [...plans], backups } });
    await waitForMachines(app.parts, 60_000);
    // It reads how much room the hypervisor has.
    await machineSync(app.parts, async () => {}).run(AbortSignal.timeout(60_000));
  });

  const call = (method: string, where: string, params: object) =>
    request<Envelope>(app, method, where, { key, params: { ...params } });
  const result = <Value>(method: string, where: string, params: object) =>
    requestResult<Value>(app, method, where, { key, params: { ...params } });
  const list = (service: string) => result<Result<'machineBackupList'>>('GET', path, { service });
  const ended = (service: string) => waitForLastAction(app, key, service);
  const backUp = async (service: string): Promise<string> => {
    const { id } = await result<Result<'machineBackupCreate'>>('POST', path, { service });
    const { status, error } = await ended(service);
    assert.deepEqual([status, error], ['Completed', '']);
    return id;
  };
  const machine = (vmid: number) => node.machines.get(`vm-${vmid}`)!;
  const sweep = () => sweepBackups(app.parts, AbortSignal.timeout(60_000));
  const pruned = async (service: number): Promise<void> => {
    await sweep();
    await until(async () => (await store.backupPlanFind(app.parts.store.queries, service))?.needs_prune === 0);
  };
  const repository = (service: string) => readdir(join(folder, `machine-${service}`));

  test('a machine is backed up and restored, and nothing is left on its hypervisor', async () => {
    const service = '2001';
    const { hostname } = machine(101).system();
    const id = await backUp(service);
    const [backup] = await list(service);
    assert.deepEqual([backup!.id, backup!.status, backup!.source, backup!.consistent], [id, 'Stored', 'request', true]);
    assert.ok(Number(backup!.size) > 50);
    assert.deepEqual(Object.keys(machine(101).state.snapshots ?? {}), []);
    machine(101).system().hostname = 'changed.example.net';
    const wrong = await call('POST', `${path}/restore`, { service, backup: id, hostname: 'other.example.net' });
    assertRejected(wrong, 400, 'invalid_parameter');
    await result('POST', `${path}/restore`, { service, backup: id, hostname: 'vps1.example.net' });
    assert.equal((await ended(service)).status, 'Completed');
    assert.deepEqual([machine(101).system().hostname, machine(101).state.power], [hostname, 'on']);
    await pruned(2001);
    const usage = await usageOfAccount(app.parts.store.queries, account, { from: 0, until: 99_999 });
    assert.deepEqual(
      usage.map(({ item }) => item),
      ['backups'],
    );
    await result('DELETE', path, { service, backup: id });
    assertRejected(await call('DELETE', path, { service, backup: id }), 404, 'not_found');
    await pruned(2001);
    assert.deepEqual([await list(service), await repository(service)], [[], []]);
    const { events } = await result<{ events: { type: string }[] }>('GET', '/v2/event', { service });
    const types = events.map(({ type }) => type).filter((type) => /^device\.(backup|restore)/.test(type));
    const expected = ['backup.started', 'backup.completed', 'restore.started', 'restore.completed', 'backup.deleted'];
    assert.deepEqual(
      types,
      expected.map((type) => `device.${type}`),
    );
  });

  test('a schedule makes backups, keeps as many as it says, and never those that were requested', async () => {
    const service = '2002';
    const requested = await backUp(service);
    const schedule = { service, frequency: 'daily', hour: 3, daily: 1, weekly: 0, monthly: 0 };
    const set = await result<Result<'machineBackupScheduleSet'>>('PUT', `${path}/schedule`, schedule);
    assert.equal(new Date(set.next).getUTCHours(), 3);
    assertRejected(await call('PUT', `${path}/schedule`, { service, monthly: 12 }), 409, 'state_conflict');
    for (let run = 0; run < 2; run++) {
      await store.backupPlanChange(app.parts.store.queries, 2002, { next_at: 1 });
      await sweep();
      await until(async () => (await list(service)).every(({ status }) => status === 'Stored'));
      const [newest] = await list(service);
      if (run === 0) await store.machineBackupChange(app.parts.store.queries, newest!.id, { created_at: dayMs });
    }
    await pruned(2002);
    const left = await list(service);
    assert.deepEqual([left.map(({ source }) => source), left[1]!.id], [['schedule', 'request'], requested]);
    assert.equal((await repository(service)).length, 2);
    const { next, backups } = await result<Result<'machineBackupScheduleGet'>>('GET', `${path}/schedule`, { service });
    assert.ok(new Date(next).getTime() > app.parts.clock.now());
    assert.equal(backups, 2);
  });

  test('a failed restore leaves the machine unchanged', async () => {
    const service = '2003';
    const id = await backUp(service);
    machine(103).system().hostname = 'later.example.net';
    const [file] = await repository(service);
    await writeFile(join(folder, 'machine-2003', file!), '{"template":"debian-12"}\n');
    await result('POST', `${path}/restore`, { service, backup: id, hostname: 'vps3.example.net' });
    const { status } = await ended(service);
    assert.equal(status, 'Failed');
    assert.deepEqual([machine(103).system().hostname, machine(103).state.power], ['later.example.net', 'on']);
    // The weekly test finds the damage too.
    const { queries } = app.parts.store;
    await app.parts.queue.enqueue(queries, backupJob, { service: 2003, task: 'verify', backup: id });
    const problem = await untilDefined(() => findVerificationProblem(queries, app.parts.clock.now()));
    assert.match(problem, /cannot be restored: the content is not what was backed up/);
    assert.equal((await list(service))[0]!.verified, '');
  });

  test('a restore whose backup is deleted before it begins fails, and leaves the machine unchanged', async () => {
    const service = '2003';
    const id = await backUp(service);
    const before = machine(103).state.current;
    const input = { service: 2003, node: 'ams1', name: 'vm-103', purpose: 'a restore', backup: id };
    const start = { account, service: 2003, operation: 'v2.machineBackupRestore' };
    await app.parts.store.transaction(async (queries) => {
      await startWorkflow(app.parts, queries, machineBackupRestore, {
        ...start,
        input: { ...input, template: 'debian-12', graceMs: 0 },
      });
      assert.deepEqual(await backupsDiscardUnused(queries, 2003, [id]), []);
      await store.machineBackupsDelete(queries, [id]);
    });
    const { status, error } = await ended(service);
    assert.deepEqual([status, error], ['Failed', 'The backup was deleted before it was restored.']);
    assert.equal(machine(103).state.current, before);
  });

  test('calls that wait for a busy machine make one backup after all, and no more than it may have', async () => {
    const service = '2003';
    const { queries } = app.parts.store;
    const lock = { device: 'vm-103', holder: 'test', purpose: 'a test', held_until: app.parts.clock.now() + 60_000 };
    assert.ok(await deviceLockAcquire(queries, lock, app.parts.clock.now()));
    const waiting = Promise.all([1, 2, 3, 4].map(() => call('POST', path, { service })));
    // They have counted the backups by then.
    await sleep(1000);
    await deviceLockRelease(queries, lock.device, lock.holder);
    const statuses = (await waiting).map(({ status }) => status);
    assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409]);
    assert.equal((await ended(service)).status, 'Completed');
  });

  test('while the storage is offline, a backup waits and is never reported as stored', async () => {
    const service = '2004';
    await rename(folder, `${folder}.away`);
    const { id } = await result<Result<'machineBackupCreate'>>('POST', path, { service });
    const { queries } = app.parts.store;
    await until(async () => (await store.backupPlanFind(queries, 2004))!.error !== '');
    assertRejected(await call('POST', path, { service }), 409, 'state_conflict');
    assert.deepEqual(
      (await list(service)).map(({ status }) => status),
      ['Creating'],
    );
    // What is still to be stored would stay behind.
    const moved = await asOperator<ErrorResult>(app, 'POST', 'machine/migrate', { device: 'vm-104' });
    assert.deepEqual([moved.status, /A backup/.test(moved.body.result.message ?? '')], [409, true]);
    await rename(`${folder}.away`, folder);
    // The next attempt is due.
    app.pass(60_000);
    await until(async () => (await list(service))[0]?.status === 'Stored', { patienceMs: 120_000 });
    assert.equal((await list(service))[0]!.id, id);
    assert.equal((await store.backupPlanFind(queries, 2004))!.error, '');
  });

  test('the customer gets one message when three backups in a row failed, until one is stored again', async () => {
    const service = '2004';
    const failures = async () =>
      (
        await listEvents<{ failures: string; reason: string }>(app, key, { service, type: 'device.backup.failing' })
      ).map(({ data }) => data.failures);
    node.setMalfunctions({ isDiskFull: true });
    for (const expected of [[], [], ['3'], ['3']]) {
      await result('POST', path, { service });
      assert.equal((await ended(service)).status, 'Failed');
      assert.deepEqual(await failures(), expected);
    }
    node.setMalfunctions({});
    await backUp(service);
    assert.equal((await store.backupPlanFind(app.parts.store.queries, 2004))!.failures, 0);
  });

  test('a backup has the volumes of its machine, and each disk can be restored to a new volume', async () => {
    const service = '2006';
    const attach = async (name: string): Promise<void> => {
      await result('POST', '/v2/machine/volume', { service, name, size: 2 });
      assert.equal((await ended(service)).status, 'Completed');
    };
    await attach('data');
    const [volumeId] = Object.keys(node.volumes);
    node.volumes[volumeId!]!.content = 'rows';
    machine(106).system().content = 'files';
    const backup = await backUp(service);
    const [{ volumes, size, diskgb } = { volumes: [], size: '', diskgb: '' }] = await list(service);
    assert.deepEqual([volumes.map(({ name, size: gb }) => [name, gb]), diskgb], [[['data', '2']], '10']);
    assert.equal((await repository(service)).length, 2);
    assert.deepEqual(node.volumes[volumeId!]!.copies, {});
    await pruned(2006);
    assert.equal((await repository(service)).length, 2);
    node.volumes[volumeId!]!.content = 'changed';
    const restore = (fields: object) => result('POST', `${path}/volume`, { service, backup, ...fields });
    const rejected = await call('POST', `${path}/volume`, { service, backup, name: 'data' });
    assertRejected(rejected, 409, 'already_exists');
    assertRejected(await call('POST', `${path}/volume`, { service, backup, name: 'x', volume: 999 }), 404, 'not_found');
    await restore({ name: 'old rows', volume: volumes[0]!.id });
    assert.equal((await ended(service)).status, 'Completed');
    await restore({ name: 'old files', target: '2007' });
    assert.equal((await ended('2007')).status, 'Completed');
    const contents = Object.values(node.volumes).map(({ content, machine: name, sizeGb }) => [content, name, sizeGb]);
    assert.deepEqual(contents, [
      ['changed', 'vm-106', 2],
      ['rows', 'vm-106', 2],
      ['files', 'vm-107', 10],
    ]);
    const usage = await usageOfAccount(app.parts.store.queries, account, { from: 0, until: 99_999 });
    const billed = usage.filter(({ item }) => item === 'volumes').map((row) => [row.service_id, row.quantity]);
    assert.deepEqual(billed.toSorted(), [
      [2006, 4000],
      [2007, 10_000],
    ]);
    // Without the volumes.
    await result('PUT', `${path}/schedule`, { service, volumes: 'excluded', daily: 1, weekly: 0 });
    await backUp(service);
    const [newest] = await list(service);
    assert.deepEqual([newest!.volumes, Number(newest!.size) < Number(size)], [[], true]);
  });

  test('a machine is ordered from the backup of a deleted one, which stays until then', async () => {
    const service = '2007';
    machine(107).system().content = 'kept';
    const backup = await backUp(service);
    const { id: other } = await result<Result<'machineBackupCreate'>>('POST', path, { service: '2006' });
    await ended('2006');
    await result('DELETE', '/v2/machine', { service, hostname: 'vps7.example.net' });
    await until(async () => machine(107).state.power === 'off');
    const order = { service, backup, plan: 'Small', hostname: 'again.example.net' };
    assertRejected(await call('POST', `${path}/order`, { ...order, plan: 'Smaller' }), 409, 'state_conflict');
    assertRejected(await call('POST', `${path}/order`, { ...order, plan: 'None' }), 422, 'not_in_catalogue');
    assertRejected(await call('POST', `${path}/order`, { ...order, backup: other }), 404, 'not_found');
    // The storage is gone for a while.
    await rename(folder, `${folder}.away`);
    const ordered = await result<Result<'machineBackupOrder'>>('POST', `${path}/order`, order);
    const { queries } = app.parts.store;
    await until(async () => (await store.backupTransferFind(queries, ordered.action))?.detail !== undefined);
    await store.backupPlanChange(queries, 2007, { keep_daily: 0, keep_weekly: 0, keep_monthly: 0 });
    assert.deepEqual(await backupsDiscardUnused(queries, 2007, [backup]), [backup]);
    await rename(`${folder}.away`, folder);
    app.pass(60_000);
    const built = await untilDefined(() => Promise.resolve(node.machines.get(`vm-${ordered.vmid}`)), {
      patienceMs: 120_000,
    });
    await until(async () => built.state.power === 'on');
    await until(async () => Object.keys(node.images).length === 0);
    assert.deepEqual([built.system().content, built.system().hostname], ['kept', 'again.example.net']);
    await waitForMachines(app.parts, 60_000);
    assert.deepEqual(await backupsDiscardUnused(queries, 2007, [backup]), []);
  });

  test('backups and the password of their repository go with the machine', async () => {
    const service = '2005';
    await backUp(service);
    const { queries } = app.parts.store;
    await queries.updateTable('services').set({ status: 'Terminated' }).where('id', '=', 2005).execute();
    await machineRemove(queries, 2005);
    await until(async () => {
      await sweep();
      return (await store.backupPlanFind(queries, 2005)) === undefined;
    });
    assert.deepEqual(await repository(service), []);
  });

  test('are transferred a few at a time, as the site file says', async () => {
    const { runTransfer } = app.parts;
    let running = 0;
    let most = 0;
    const counting: typeof runTransfer = async (...transfer) => {
      most = Math.max(most, ++running);
      await sleep(50);
      return runTransfer(...transfer).finally(() => running--);
    };
    Object.assign(app.parts, { runTransfer: counting });
    const machines = await result<{ service: string; status: string }[]>('GET', '/v2/machine', {});
    const services = machines.filter(({ status }) => status === 'Active').map(({ service }) => service);
    assert.ok(services.length > backupDefaults.atOnce);
    for (const service of services)
      for (const { id } of await list(service)) await result('DELETE', path, { service, backup: id });
    await Promise.all(services.map(backUp));
    Object.assign(app.parts, { runTransfer });
    assert.equal(most, backupDefaults.atOnce);
  });
});
