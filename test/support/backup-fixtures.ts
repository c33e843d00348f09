// Fixtures for the workflows of backups, for the harness: a machine on a lab hypervisor, a repository in a folder, and the job
// that moves the content, which runs after the transaction that enqueued it.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '#app/app.ts';
import { newBackupPlan } from '#app/machines/backup-settings.ts';
import { backupWorker } from '#app/machines/backup-worker.ts';
import { settingsPut } from '#app/site/settings.ts';
import type { Site } from '#contract/site/site.ts';
import { runTransfer } from '#drivers/backup/transfer.ts';
import { createLog } from '#lib/log.ts';
import type { JobAttempt, Queue } from '#queue/queue.ts';
import {
  backupPlanChange,
  backupPlanEnsure,
  machineBackupInsert,
  machineBackupList,
} from '#store/devices/machine-backups.ts';
import type { Queries, Store } from '#store/store.ts';
import type { MachineDeps } from '#workflows/device-steps.ts';
import type { Fixture, Scenario } from '#workflows/engine/harness.ts';
import { backupJob } from '#workflows/machine/backup-job.ts';
import { machineBackup, type MachineBackupInput } from '#workflows/machine/machine-backup.ts';
import { machineBackupRestore, type MachineBackupRestoreInput } from '#workflows/machine/machine-backup-restore.ts';
import { temporaryFolder } from './folder.ts';
import { inspectMachine, startMachine, type MachineFixture } from './machine-fixtures.ts';
import { withResources } from './resources.ts';

const target = { service: 2001, node: 'node1', name: 'vm-101' };

interface BackupFixture extends MachineFixture {
  readonly repository: string;
}

async function startBackups(): Promise<BackupFixture> {
  await using owned = new AsyncDisposableStack();
  const ground = owned.use(await startMachine());
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
  const app = { ...deps, queue, runTransfer, log: createLog('silent') } as Partial<App> as App;
  const worker = backupWorker(app);
  await settingsPut(app, store.queries, { backups: { repository: { driver: 'lab', path: folder.path } } } as Site);
  await backupPlanEnsure(store.queries, newBackupPlan(app, account, target.service));
  return withResources(owned, {
    ...ground,
    deps: { ...deps, queue, store: withJobs },
    repository: join(folder.path, `machine-${target.service}`),
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
    copies: Object.keys(node.machines.get(target.name)!.state.snapshots ?? {}),
    backups: backups.map(({ state, is_consistent, digest }) => ({ state, is_consistent, isStored: digest !== null })),
  };
}

function newBackup(fixture: BackupFixture, id: string) {
  const owner = { id, account_id: fixture.account, service_id: target.service, source: 'request' } as const;
  const machine = { hostname: 'vps1.example.net', template: 'debian-12', created_at: 0 };
  const content = { snapshot: null, digest: null, size_bytes: 0, added_bytes: 0, is_consistent: 0 };
  return { ...owner, ...machine, ...content, state: 'creating', verified_at: null, verify_error: '' } as const;
}

async function makeBackup(): Promise<Fixture<MachineDeps, MachineBackupInput>> {
  const fixture = await startBackups();
  const backup = 'backup1';
  await machineBackupInsert(fixture.store.queries, newBackup(fixture, backup));
  return {
    ...fixture,
    input: { ...target, purpose: 'a backup', backup },
    observe: () => inspect(fixture),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

/** The machine is unchanged, and neither a copy nor a backup is left. */
function assertNoBackup(observed: unknown): void {
  const { copies, backups, locked, system } = observed as Awaited<ReturnType<typeof inspect>>;
  assert.deepEqual({ copies, backups, locked, system }, { copies: [], backups: [], locked: false, system: 'old' });
}

async function makeRestore(): Promise<Fixture<MachineDeps, MachineBackupRestoreInput>> {
  const fixture = await startBackups();
  const { store } = fixture;
  const backup = 'backup1';
  const content = `${JSON.stringify(fixture.node.machines.get(target.name)!.system())}\n`;
  await mkdir(fixture.repository, { recursive: true });
  await writeFile(join(fixture.repository, 'snapshot1'), content);
  const digest = hash('sha256', content);
  const stored = { ...newBackup(fixture, backup), state: 'stored', snapshot: 'snapshot1', digest } as const;
  await machineBackupInsert(store.queries, stored);
  await backupPlanChange(store.queries, target.service, { is_created: 1 });
  return {
    ...fixture,
    input: { ...target, purpose: 'a restore', backup, template: 'debian-12', graceMs: 1000 },
    observe: () => inspect(fixture),
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of fixture
export const backupScenarios: readonly Scenario<any, any>[] = [
  { workflow: machineBackup, makeFixture: makeBackup, assertFailed: assertNoBackup },
  { workflow: machineBackupRestore, makeFixture: makeRestore },
];
