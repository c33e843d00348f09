// Restores a disk of a backup to a new volume, and attaches it to a machine. The machine is locked only while that is done, so that
// it can be used as usual while the backup is read.
import { appendEvent } from '#events/append.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { backupTransferRemove } from '#store/devices/machine-backups.ts';
import { volumeName, volumeRemove, volumeSettle, volumeUsagePut } from '#store/devices/volumes.ts';
import { machineLockStep, toStepResult, undoWithRetry, type MachineDeps, type MachineTarget } from '../device-steps.ts';
import { done, workflow } from '../engine/workflow.ts';
import { awaitTransfer, cancelTransfer, transferLimit } from './backup-job.ts';
import { useVolumes } from './machine-volume.ts';

export interface MachineBackupVolumeInput extends MachineTarget {
  readonly backup: string;
  /** The service that the backup is of. */
  readonly backupService: number;
  /** The volume in the backup; null for its system disk. */
  readonly part: number | null;
  /** The new volume. Its row exists. */
  readonly volume: number;
  /** As the customer named it. */
  readonly label: string;
  readonly sizeGb: number;
}

export const machineBackupVolume = workflow<MachineDeps, MachineBackupVolumeInput>('machine-backup-volume', 1)
  .step('fetch-backup', {
    do: (context, { backup, backupService, service, part, volume }) =>
      awaitTransfer(context, {
        kind: 'volume',
        backup_id: backup,
        service_id: backupService,
        target_id: service,
        part,
        volume_id: volume,
      }),
    undo: (context, input) =>
      undoWithRetry(context, undefined, async () => {
        const cancelled = await cancelTransfer(context);
        if (cancelled.kind !== 'done') return cancelled;
        await useVolumes(context, input, (volumes, limit) => volumes.remove(volumeName(input.volume), limit));
        return done();
      }),
    limit: transferLimit,
  })
  .step('lock', machineLockStep)
  .step('apply', {
    do: (context, input) =>
      toStepResult(context, async () => {
        const { volume, name } = input;
        await useVolumes(context, input, (volumes, limit) => volumes.attach(volumeName(volume), name, limit));
        return done();
      }),
    undo: (context, input) =>
      undoWithRetry(context, input, async () => {
        const { volume, name } = input;
        await useVolumes(context, input, (volumes, limit) => volumes.detach(volumeName(volume), name, limit));
        return done();
      }),
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, volume, label, sizeGb, name } = input;
    await billingAccountLock(queries, account);
    await backupTransferRemove(queries, holder);
    const isDone = outcome === 'Completed';
    await (isDone ? volumeSettle(queries, volume, { is_attached: 1 }) : volumeRemove(queries, volume));
    await volumeUsagePut(queries, account, service, deps.clock.now());
    await deviceLockRelease(queries, name, holder);
    const data = { volumeid: String(volume), name: label };
    const event = isDone
      ? ({ type: 'volume.created', data: { ...data, sizegb: String(sizeGb) } } as const)
      : ({ type: 'volume.failed', data: { ...data, reason } } as const);
    await appendEvent(deps, queries, { account, service, ...event });
  });
