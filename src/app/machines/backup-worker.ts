// The job that works on the backup repository of a machine: transfers, the weekly test, and the removal of old backups. While the
// storage does not respond, the queue tries again with growing delays; nothing counts as done before the repository says so.
import { tmpdir } from 'node:os';
import type { SiteBackups } from '#contract/site/backups.ts';
import type { TransferResult } from '#drivers/backup/transfer.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { createAccountShares } from '#queue/account-shares.ts';
import { jobWorker, type JobAttempt, type JobWorker } from '#queue/queue.ts';
import { backupsDiscardUnused, backupVolumeChange, backupVolumesOf } from '#store/devices/backup-volumes.ts';
import * as store from '#store/devices/machine-backups.ts';
import { usagePut } from '#store/pricing/usage.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import type { Queries } from '#store/store.ts';
import { backupJob, transferLimitMs, type BackupWork } from '#workflows/machine/backup-job.ts';
import type { App } from '../app.ts';
import { createAccountSlots } from '../operations/account-slots.ts';
import { selectExpired } from './backup-retention.ts';
import { backupDefaults, findBackupSettings, repositoryAccess } from './backup-settings.ts';
import { isVolume, requireStored, transferRequests, type BackupPart } from './backup-transfers.ts';
import { recordVerification } from './backup-verification.ts';

/** How often a transfer looks whether it was cancelled. */
const cancelCheckMs = 2000;
/** Of those that wait or run: an account with many machines must not keep all others from waiting for their turn. */
const jobsPerAccount = 8;
const shareRetryMs = 15_000;
const thousandthsPerGb = 1000 / 2 ** 30;
const unreachable: ReadonlySet<string> = new Set(['backup_unreachable', 'node_unreachable', 'device_busy']);

type Job = JobAttempt<BackupWork>;
type Transfer = store.BackupTransfer;

export function backupWorker(app: App): JobWorker {
  // Transfers take hours and share a line.
  const slots = createAccountSlots();
  const shares = createAccountShares();
  return jobWorker(backupJob, async (job) => {
    const settings = await findBackupSettings(app, app.store.queries);
    const plan = await store.backupPlanFind(app.store.queries, job.payload.service);
    if (plan === undefined) return;
    const { payload } = job;
    using share = shares.enter(plan.account_id, jobsPerAccount);
    if (share === undefined)
      return job.complete(async (queries) => {
        await app.queue.enqueue(queries, backupJob, payload, { runAt: app.clock.now() + shareRetryMs });
      });
    const atOnce = settings?.atOnce ?? backupDefaults.atOnce;
    using _slot = await slots.take(plan.account_id, atOnce, job.signal);
    // Awaited here: the slot is released when this function is left.
    switch (payload.task) {
      case 'transfer':
        return await performTransfer(app, job, payload.transfer, settings, plan);
      case 'verify':
        return await (settings && verifyBackup(app, job, payload.backup, settings, plan));
      case 'prune':
        return await (settings && pruneRepository(app, job, settings, plan));
    }
  });
}

async function performTransfer(
  app: App,
  job: Job,
  id: string,
  settings: SiteBackups | undefined,
  plan: store.BackupPlan,
): Promise<void> {
  const { queries } = app.store;
  const isWanted = await job.publish(async (inside) => {
    await store.backupTransferAcknowledge(inside, id);
    return store.backupTransferStart(inside, id);
  });
  const transfer = isWanted ? await store.backupTransferFind(queries, id) : undefined;
  const backup = transfer && (await store.machineBackupLoad(queries, transfer.backup_id));
  if (transfer === undefined || backup === undefined) return;
  using watch = watchTransfer(app, id, job.signal);
  try {
    if (settings === undefined) throw new ApiError('backup_error', { internal: 'the site file has no backups' });
    for (const { part, request } of await transferRequests(app, transfer, backup, settings, plan)) {
      const result = await app.runTransfer(request, watch.signal);
      // A repeated attempt continues with the next disk.
      if (transfer.kind === 'store') await job.publish((inside) => recordPart(inside, part, result));
    }
    await job.complete(async (inside) => {
      await store.backupPlanChange(inside, plan.service_id, { is_created: 1, needs_prune: 1 });
      // What a cancelled backup has stored is removed with the next pruning, because no row names it.
      if (!(await store.backupTransferChange(inside, id, { state: 'done', detail: '' })))
        return store.backupTransferAcknowledge(inside, id);
      await app.queue.enqueue(inside, workflowJob, { id });
    });
  } catch (error) {
    if (job.signal.aborted) throw error;
    if (watch.signal.aborted) await job.complete((inside) => store.backupTransferAcknowledge(inside, id));
    else await recordFailure(app, job, transfer, error);
  }
}

/** Throws the error if it is worth trying again, and otherwise ends the transfer. */
async function recordFailure(app: App, job: Job, transfer: Transfer, error: unknown): Promise<void> {
  const detail = operatorMessage(error).slice(0, 500);
  const code = error instanceof ApiError ? error.code : 'internal_error';
  const isTemporary = !(error instanceof ApiError) || unreachable.has(code);
  const isEarly = app.clock.now() - transfer.created_at < transferLimitMs;
  if (isTemporary && isEarly) {
    await job.publish(async (queries) => {
      await store.backupTransferChange(queries, transfer.id, { detail });
      await store.backupPlanChange(queries, transfer.service_id, { error: detail });
    });
    app.log.warn({ service: transfer.service_id, detail }, 'a backup cannot be transferred; retrying');
    throw error;
  }
  app.log.error({ service: transfer.service_id, detail }, 'a backup could not be transferred');
  await job.complete(async (queries) => {
    await store.backupTransferChange(queries, transfer.id, { state: 'failed', code, detail });
    await store.backupTransferAcknowledge(queries, transfer.id);
    await app.queue.enqueue(queries, workflowJob, { id: transfer.id });
  });
}

/** The row of the backup has the sizes of all its disks. */
async function recordPart(queries: Queries, part: BackupPart, result: TransferResult): Promise<void> {
  const { snapshot = null, digest, sizeBytes: size_bytes, addedBytes = 0 } = result;
  if (isVolume(part)) await backupVolumeChange(queries, part, { snapshot, digest, size_bytes });
  const id = isVolume(part) ? part.backup_id : part.id;
  const backup = await store.machineBackupLoad(queries, id);
  if (backup === undefined) return;
  const sizes = { size_bytes: backup.size_bytes + size_bytes, added_bytes: backup.added_bytes + addedBytes };
  await store.machineBackupChange(queries, id, { ...sizes, ...(!isVolume(part) && { snapshot, digest }) });
  await store.backupPlanChange(queries, backup.service_id, { is_created: 1 });
}

async function verifyBackup(
  app: App,
  job: Job,
  id: string,
  settings: SiteBackups,
  plan: store.BackupPlan,
): Promise<void> {
  const backup = await store.machineBackupLoad(app.store.queries, id);
  if (backup?.state !== 'stored') return;
  const { service_id: service } = backup;
  const parts = [backup, ...(await backupVolumesOf(app.store.queries, [id]))];
  const repository = { settings: settings.repository, access: repositoryAccess(app, plan) };
  const scratch = settings.scratch ?? tmpdir();
  let failure = '';
  try {
    for (const part of parts)
      await app.runTransfer({ kind: 'verify', repository, scratch, ...requireStored(part) }, job.signal);
  } catch (error) {
    const isTemporary = !(error instanceof ApiError) || unreachable.has(error.code);
    if (job.signal.aborted || isTemporary) throw error;
    failure = operatorMessage(error).slice(0, 500);
    app.log.error({ service, backup: id, failure }, 'a backup cannot be restored');
  }
  const now = app.clock.now();
  await job.complete(async (queries) => {
    await store.machineBackupChange(queries, id, {
      verify_error: failure,
      ...(failure === '' && { verified_at: now }),
    });
    await recordVerification(queries, { at: now, service, backup: id, failure });
  });
}

/** Applies the schedule's retention, removes what no backup needs, and measures the rest. */
async function pruneRepository(app: App, job: Job, settings: SiteBackups, plan: store.BackupPlan): Promise<void> {
  const { service_id: service, account_id } = plan;
  const { queries } = app.store;
  const stored = await store.machineBackupsOfState(queries, service, 'stored');
  const scheduled = stored.filter(({ source }) => source === 'schedule');
  const room = Math.max(1, (settings.perMachine ?? backupDefaults.perMachine) - (stored.length - scheduled.length));
  const expired = selectExpired(scheduled, plan, room).map(({ id }) => id);
  await job.publish((inside) => backupsDiscardUnused(inside, service, expired));
  const removing = await store.machineBackupsOfState(queries, service, 'removing');
  // In this order: one that is completed in between is in both lists, and not in neither.
  const creating = await store.machineBackupsOfState(queries, service, 'creating');
  const kept = [...creating, ...(await store.machineBackupsOfState(queries, service, 'stored'))];
  const volumes = await backupVolumesOf(
    queries,
    kept.map(({ id }) => id),
  );
  const keep = [...kept, ...volumes].flatMap(({ snapshot }) => snapshot ?? []);
  const repository = { settings: settings.repository, access: repositoryAccess(app, plan) };
  const storedBytes =
    plan.is_created === 0 ? 0 : (await app.runTransfer({ kind: 'prune', repository, keep }, job.signal)).storedBytes!;
  await job.complete(async (inside) => {
    await store.machineBackupsDelete(
      inside,
      removing.map(({ id }) => id),
    );
    const isMore = (await store.machineBackupsOfState(inside, service, 'removing')).length > 0;
    await store.backupPlanChange(inside, service, { stored_bytes: storedBytes, needs_prune: isMore ? 1 : 0 });
    const quantity = Math.round(storedBytes * thousandthsPerGb);
    await usagePut(inside, { account_id, service_id: service, item: 'backups', day: dayOf(app.clock.now()), quantity });
  });
}

/** Its signal aborts with the job, or when the transfer is cancelled. */
function watchTransfer(app: App, id: string, job: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const check = async (): Promise<void> => {
    const current = await store.backupTransferFind(app.store.queries, id);
    if (current?.state !== 'running') controller.abort(new Error('the transfer was cancelled'));
  };
  // A database that does not respond says nothing about the transfer.
  const timer = setInterval(() => void check().catch(() => {}), cancelCheckMs);
  return { signal: AbortSignal.any([job, controller.signal]), [Symbol.dispose]: () => clearInterval(timer) };
}
