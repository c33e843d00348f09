// Fixtures for the workflows of backups, for the harness: a machine on a lab hypervisor, a repository in a folder, and the job
// that moves the content, which runs after the transaction that enqueued it.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '#app/app.ts';
import { newBackupPlan } from '#app/machines/backup-settings.ts';
import { backupWorker } from '#app/machines/backup-worker.ts';
import { storeSiteSettings } from '#app/site/settings.ts';
import type { Site } from '#contract/site/site.ts';
import { runTransfer } from '#drivers/backup/transfer.ts';
import { createLog } from '#lib/log.ts';
import type { JobAttempt, Queue } from '#queue/queue.ts';
import { backupVolumesInsert, backupVolumesOf } from '#store/devices/backup-volumes.ts';
import {
  backupPlanChange,
  backupPlanEnsure,
  machineBackupInsert,
  machineBackupList,
} from '#store/devices/machine-backups.ts';
import { machineChange, machineFind } from '#store/devices/machines.ts';
import { volumeInsert, volumeList } from '#store/devices/volumes.ts';
import type { Queries, Store } from '#store/store.ts';
import type { MachineDeps } from '#workflows/device-steps.ts';
import type { Fixture, Scenario } from '#workflows/engine/harness.ts';
import { backupJob } from '#workflows/machine/backup-job.ts';
import { machineBackupVolume, type MachineBackupVolumeInput } from '#workflows/machine/machine-backup-volume.ts';
import { machineBackup, type MachineBackupInput } from '#workflows/machine/machine-backup.ts';
import { machineCreateFromBackup, type MachineCreateInput } from '#workflows/machine/machine-create.ts';
import { machineBackupRestore, type MachineBackupRestoreInput } from '#workflows/machine/machine-backup-restore.ts';
import { addService } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import {
  assertNoVolume,
  inspectMachine,
  orderOn,
  startGround,
  startMachine,
  type MachineFixture,
} from './machine-fixtures.ts';
import { withResources } from './resources.ts';

const target = { service: 2001, node: 'node1', name: 'vm-101' };
const log = createLog('silent');

interface BackupFixture extends MachineFixture {
  readonly repository: string;
}

async function startBackups(start = startMachine, service = target.service): Promise<BackupFixture> {
  await using owned = new AsyncDisposableStack();
  const ground = owned.use(await start());
  const { store, account, deps } = ground;
  const folder = owned.use(await temporaryFolder('backups'));
  const pending: object[] = [];
  const queue = {
    async enqueue(_queries, kind, payload) {
      if (kind.name === backupJob.name) pending.push(payload);
      return '';
    },
  } as Partial<Queue> as Queue;
  const withJobs: Store = Object.assign(Object.create(store) as Store, {
    async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
      const result = await store.transaction(work);
      for (const payload of pending.splice(0)) await worker.handle(attemptOf(ground, payload));
      return result;
    },
  });
  const app = { ...deps, queue, runTransfer, log } as Partial<App> as App;
  const worker = backupWorker(app);
  await storeSiteSettings(app, store.queries, {
    backups: { repository: { driver: 'lab', path: folder.path } },
  } as Site);
  await backupPlanEnsure(store.queries, newBackupPlan(app, account, service));
  return withResources(owned, {
    ...ground,
    deps: { ...deps, queue, store: withJobs },
    repository: join(folder.path, `machine-${service}`),
  });
}

function attemptOf({ store }: MachineFixture, payload: object): JobAttempt<object> {
  const signal = AbortSignal.timeout(60_000);
  const write: JobAttempt<object>['publish'] = (work) => store.transaction(work);
  return { id: 'fixture', attempt: 1, payload, signal, publish: write, complete: write };
}

async function inspect(fixture: BackupFixture) {
  const { store, account, node } = fixture;
  const backups = await machineBackupList(store.queries, account, target.service);
  return {
    ...(await inspectMachine(fixture)),
    copies: [node.machines.get(target.name)!.state.snapshots, node.volumes['vol-1']?.copies].flatMap((copies) =>
      Object.keys(copies ?? {}),
    ),
    backups: backups.map(({ state, is_consistent, digest }) => ({ state, is_consistent, isStored: digest !== null })),
    volumes: (await backupVolumesOf(store.queries, ['backup1'])).map(({ digest }) => digest !== null),
  };
}

function newBackup(fixture: BackupFixture, id: string) {
  const owner = { id, account_id: fixture.account, service_id: target.service, source: 'request' } as const;
  const machine = { hostname: 'vps1.example.net', template: 'debian-12', created_at: 0 };
  const content = { snapshot: null, digest: null, size_bytes: 0, added_bytes: 0, is_consistent: 0 };
  return { ...owner, ...machine, ...content, state: 'creating', verified_at: null, verify_error: '' } as const;
}

/** The machine has a volume, which is part of the backup. */
async function makeBackup(): Promise<Fixture<MachineDeps, MachineBackupInput>> {
  const fixture = await startBackups();
  const { account, store, deps } = fixture;
  const backup = 'backup1';
  await machineBackupInsert(store.queries, newBackup(fixture, backup));
  const volume = { backup_id: backup, volume_id: 1, account_id: account, name: 'data', size_gb: 1 };
  await backupVolumesInsert(store.queries, [volume]);
  await deps.hypervisors.use(target.node, async ({ volumes }) => {
    const patience = AbortSignal.timeout(60_000);
    await volumes!.create({ id: 'vol-1', sizeGb: 1 }, target.name, patience);
    await volumes!.attach('vol-1', target.name, patience);
  });
  return {
    ...fixture,
    input: { ...target, purpose: 'a backup', backup, volumes: ['vol-1'] },
    observe: () => inspect(fixture),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** The machine is unchanged, and neither a copy nor a backup is left. */
function assertNoBackup(observed: unknown): void {
  const { copies, backups, locked, system } = observed as Awaited<ReturnType<typeof inspect>>;
  assert.deepEqual({ copies, backups, locked, system }, { copies: [], backups: [], locked: false, system: 'old' });
}

/** Stores a backup of a system in the fixture's repository. */
async function storeBackup(fixture: BackupFixture, system: object, service = target.service): Promise<string> {
  const { store, repository } = fixture;
  const backup = 'backup1';
  const content = `${JSON.stringify(system)}\n`;
  await mkdir(repository, { recursive: true });
  await writeFile(join(repository, 'snapshot1'), content);
  const digest = hash('sha256', content);
  const stored = { ...newBackup(fixture, backup), state: 'stored', snapshot: 'snapshot1', digest } as const;
  await machineBackupInsert(store.queries, { ...stored, service_id: service, disk_gb: 20 });
  await backupPlanChange(store.queries, service, { is_created: 1 });
  return backup;
}

async function makeRestore(): Promise<Fixture<MachineDeps, MachineBackupRestoreInput>> {
  const fixture = await startBackups();
  const backup = await storeBackup(fixture, fixture.node.machines.get(target.name)!.system());
  return {
    ...fixture,
    input: { ...target, purpose: 'a restore', backup, template: 'debian-12', graceMs: 1000 },
    observe: () => inspect(fixture),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** A machine that is ordered from the backup of another one. */
async function makeOrderFromBackup(): Promise<Fixture<MachineDeps, MachineCreateInput>> {
  const other = 2002;
  const fixture = await startBackups(async () => {
    const ground = await startGround();
    const names = { name: 'VPS', hostname: 'vps2.example.net', ip: '203.0.113.134' };
    await addService(ground.store, ground.account, other, { type: 'vps', status: 'Suspended', vmid: 102, ...names });
    return ground;
  }, other);
  const from_backup = await storeBackup(fixture, { template: 'debian-12', content: 'of the backup' }, other);
  await machineChange(fixture.store.queries, target.service, { from_backup });
  const order = await orderOn(fixture);
  return {
    ...order,
    deps: fixture.deps,
    async observe() {
      const row = await machineFind(fixture.store.queries, target.service);
      return {
        ...(await inspectMachine(fixture)),
        content: fixture.node.machines.get(target.name)?.system().content,
        images: Object.keys(fixture.node.images),
        isDone: row!.from_backup === null,
      };
    },
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

async function makeVolumeFromBackup(): Promise<Fixture<MachineDeps, MachineBackupVolumeInput>> {
  const fixture = await startBackups();
  const { store, account, node } = fixture;
  const backup = await storeBackup(fixture, { template: 'debian-12', content: 'of the backup' });
  const owner = { account_id: account, service_id: target.service, node: target.node, name: 'files', size_gb: 20 };
  const volume = await volumeInsert(store.queries, { ...owner, state: 'Creating', is_attached: 0, created_at: 0 });
  const source = { backup, backupService: target.service, part: null };
  return {
    ...fixture,
    input: { ...target, purpose: 'a restore', ...source, volume: volume!.id, label: 'files', sizeGb: 20 },
    observe: async () => ({
      ...(await inspectMachine(fixture)),
      volumes: structuredClone(node.volumes),
      rows: (await volumeList(store.queries, account)).map(({ state, is_attached }) => ({ state, is_attached })),
    }),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** Nothing is left of the machine, or of what was fetched for it. */
function assertNotCreated(observed: unknown): void {
  const { images, power, locked } = observed as { images: string[]; power: unknown; locked: boolean };
  assert.deepEqual({ images, power, locked }, { images: [], power: undefined, locked: false });
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of fixture
export const backupScenarios: readonly Scenario<any, any>[] = [
  { workflow: machineBackup, makeFixture: makeBackup, assertFailed: assertNoBackup },
  { workflow: machineBackupRestore, makeFixture: makeRestore },
  { workflow: machineBackupVolume, makeFixture: makeVolumeFromBackup, assertFailed: assertNoVolume },
  { workflow: machineCreateFromBackup, makeFixture: makeOrderFromBackup, assertFailed: assertNotCreated },
];
