// Moves the content of backups to and from the repository. It is a separate job, for which the workflow waits, because a transfer
// takes hours and a step of a workflow minutes. Jobs of one machine run one at a time: they share a repository.
import type { ErrorCode } from '#contract/errors.ts';
import type { JobKind } from '#queue/queue.ts';
import { machineBackupClaim } from '#store/devices/backup-volumes.ts';
import {
  backupTransferCancel,
  backupTransferFind,
  backupTransferInsert,
  type BackupTransfer,
} from '#store/devices/machine-backups.ts';
import type { MachineContext } from '../device-steps.ts';
import { done, failed, wait, type StepResult } from '../engine/workflow.ts';

export type BackupWork = { readonly service: number } & (
  | { readonly task: 'transfer'; readonly transfer: string }
  | { readonly task: 'verify'; readonly backup: string }
  | { readonly task: 'prune' }
);

export const backupJob: JobKind<BackupWork> = {
  name: 'machine-backup',
  deadlineSeconds: 86_400,
  // The transfer itself gives up after a while; see app/machines/backup-worker.ts.
  retries: 500,
  firstRetrySeconds: 15,
  maxRetrySeconds: 900,
  // The site file limits how many of them do something.
  concurrency: 32,
  key: ({ service }) => String(service),
};

/** How long a transfer is tried, with growing delays, while the storage or the hypervisor does not respond. */
export const transferLimitMs = 12 * 3_600_000;
const pollMs = 5000;
const cancelPollMs = 1000;
const failureReason = 'The backup storage did not accept or return the content.';
export const backupDeleted = failed('not_found', 'The backup was deleted before it was restored.');

/** The limit of a step that waits for a transfer: it may also wait for others before it. */
export const transferLimit = {
  ms: 36 * 3_600_000,
  code: 'backup_unreachable',
  reason: 'The transfer to or from the backup storage took too long.',
} as const;

/** The name of a copy on the hypervisor for the backup that this workflow makes. */
export function copyName(workflow: string): string {
  return `b-${workflow}`;
}

/** The template that this workflow makes from a backup for a new machine. */
export function restoredTemplate(workflow: string): string {
  return `restore-${workflow}`;
}

/** Starts the workflow's transfer, or waits for it. */
export async function awaitTransfer(
  { deps, workflow: id, account, now }: MachineContext,
  transfer: Pick<BackupTransfer, 'kind' | 'backup_id' | 'service_id'> &
    Partial<Pick<BackupTransfer, 'target_id' | 'part' | 'volume_id'>>,
): Promise<StepResult<undefined>> {
  const existing = await backupTransferFind(deps.store.queries, id);
  switch (existing?.state) {
    case 'done':
      return done();
    case 'failed':
    case 'cancelling':
    case 'cancelled':
      return failed((existing.code || 'backup_error') as ErrorCode, failureReason, existing.detail);
    case 'waiting':
    case 'running':
      return wait(pollMs, existing.detail);
    case undefined: {
      const { kind, backup_id, service_id: service } = transfer;
      const isStarted = await deps.store.transaction(async (queries) => {
        // Until here, it could be deleted.
        if (kind !== 'store' && !(await machineBackupClaim(queries, backup_id))) return false;
        const row = { ...transfer, id, account_id: account, created_at: now };
        if (await backupTransferInsert(queries, row))
          await deps.queue.enqueue(queries, backupJob, { service, task: 'transfer', transfer: id });
        return true;
      });
      return isStarted ? wait(pollMs) : backupDeleted;
    }
  }
}

/** Waits until the job has stopped, which takes a few seconds: only then can what it moved be removed. */
export async function cancelTransfer({ deps, workflow: id }: MachineContext): Promise<StepResult<undefined>> {
  return (await backupTransferCancel(deps.store.queries, id)) ? done() : wait(cancelPollMs);
}
