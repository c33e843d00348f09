// Starts scheduled backups, the removal of old ones and the weekly test. It only starts jobs and workflows, so that it never
// waits for the storage.
import { randomInt } from 'node:crypto';
import { ApiError } from '#lib/api-error.ts';
import { machineFind } from '#store/devices/machines.ts';
import { backupsDiscardUnused } from '#store/devices/backup-volumes.ts';
import * as store from '#store/devices/machine-backups.ts';
import { workflowRunning } from '#store/work/workflows.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import { backupJob, type BackupWork } from '#workflows/machine/backup-job.ts';
import { machineBackup } from '#workflows/machine/machine-backup.ts';
import type { App } from '../app.ts';
import { nextBackupAt } from './backup-retention.ts';
import { findBackupSettings } from './backup-settings.ts';
import { takeVerificationTurn } from './backup-verification.ts';
import { newBackupInput, recordBackup, requireIdle } from './backups.ts';

const plansPerRun = 50;
/** When a machine that is busy is tried again. */
const busyRetryMs = 10 * 60_000;

/** Returns how many machines wait for a backup or a removal. */
export async function sweepBackups(app: App, signal: AbortSignal): Promise<number> {
  const { queries } = app.store;
  if ((await findBackupSettings(app, queries)) === undefined) return 0;
  const due = await store.backupPlansDue(queries, app.clock.now(), plansPerRun);
  for (const plan of due) if (!signal.aborted) await startScheduled(app, plan);
  for (const plan of await store.backupPlansOfRemovedMachines(queries, plansPerRun)) await removeAll(app, plan);
  const toPrune = await store.backupPlansToPrune(queries, plansPerRun);
  for (const { service_id: service } of toPrune) await enqueueOnce(app, { service, task: 'prune' });
  await startVerification(app);
  return due.length + toPrune.length;
}

type DuePlan = Awaited<ReturnType<typeof store.backupPlansDue>>[number];

async function startScheduled(app: App, plan: DuePlan): Promise<void> {
  const { service_id: id, account_id: account, hostname, status } = plan;
  const now = app.clock.now();
  const machine = await machineFind(app.store.queries, id);
  const running = await workflowRunning(app.store.queries, id, machineBackup.name);
  const isUsable = status === 'Active' && machine?.state === 'ready' && machine.node !== null;
  const next_at = nextBackupAt(plan, now);
  if (!isUsable || running !== undefined) return store.backupPlanChange(app.store.queries, id, { next_at });
  const placed = { ...machine, node: machine.node! };
  const input = await newBackupInput(app.store.queries, placed, plan);
  try {
    await app.store.transaction(async (queries) => {
      await requireIdle(queries, id);
      const start = { account, service: id, operation: 'backup schedule', input };
      const workflow = await startWorkflow(app, queries, machineBackup, start);
      const service = { id, account_id: account, hostname };
      await recordBackup(app, queries, { workflow, input, service, machine: placed, source: 'schedule' });
      await store.backupPlanChange(queries, id, { next_at });
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await store.backupPlanChange(app.store.queries, id, { next_at: now + busyRetryMs });
  }
}

/** The machine is gone for good, and so are its backups, unless one is being restored; then its repository and the password. */
async function removeAll(app: App, { service_id: service, needs_prune }: store.BackupPlan): Promise<void> {
  const { queries } = app.store;
  const stored = await store.machineBackupsOfState(queries, service, 'stored');
  const removing = await store.machineBackupsOfState(queries, service, 'removing');
  await app.store.transaction(async (inside) => {
    if (stored.length > 0)
      await backupsDiscardUnused(
        inside,
        service,
        stored.map(({ id }) => id),
      );
    else if (removing.length === 0 && needs_prune === 0) await store.backupPlanRemove(inside, service);
  });
}

async function startVerification(app: App): Promise<void> {
  const { queries } = app.store;
  const count = await store.storedBackupsCount(queries);
  if (count === 0) return;
  await app.store.transaction(async (inside) => {
    if (!(await takeVerificationTurn(inside, app.clock.now()))) return;
    const backup = await store.machineBackupAt(inside, randomInt(count));
    if (backup !== undefined)
      await app.queue.enqueue(inside, backupJob, { service: backup.service_id, task: 'verify', backup: backup.id });
  });
}

/** A machine with a job has its removals done by the job that follows. */
async function enqueueOnce(app: App, work: BackupWork): Promise<void> {
  const key = String(work.service);
  if ((await app.queue.keysAlive(backupJob as never, [key])).has(key)) return;
  await app.store.transaction((queries) => app.queue.enqueue(queries, backupJob, work));
}
