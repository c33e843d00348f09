// Restores a virtual machine from a backup. As in a reinstall, the restored system is built next to the running one, so that the
// machine always has a system, and a failure or a cancellation returns it to the one that it had.
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { backupTransferRemove } from '#store/devices/machine-backups.ts';
import { machineChange } from '#store/devices/machines.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  extendDeviceLock,
  machineAskStep,
  machineLockStep,
  machineOffStep,
  onAgainStep,
  undoWithRetry,
  useHypervisor,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, workflow } from '../engine/workflow.ts';
import { awaitTransfer, cancelTransfer, transferLimit } from './backup-job.ts';
import { confirmStep, lookStep, useStep } from './system-switch.ts';

export interface MachineBackupRestoreInput extends MachineTarget {
  readonly backup: string;
  /** Of the backup. */
  readonly template: string;
  readonly graceMs: number;
}

export const machineBackupRestore = workflow<MachineDeps, MachineBackupRestoreInput>('machine-backup-restore', 1)
  .step('lock', machineLockStep)
  .step('look', lookStep)
  .step('fetch-backup', {
    async do(context, input) {
      if (!(await extendDeviceLock(context, input)))
        return failed('device_busy', 'Another command took over the machine while it was being restored.');
      return awaitTransfer(context, { kind: 'restore', backup_id: input.backup, service_id: input.service });
    },
    undo: (context, input) =>
      undoWithRetry(context, input, async () => {
        const cancelled = await cancelTransfer(context);
        if (cancelled.kind !== 'done') return cancelled;
        await useHypervisor(context, input.node, ({ systems }, limit) => systems.tidy(input.name, limit));
        return done();
      }),
    limit: transferLimit,
  })
  .step('ask', machineAskStep)
  .step('off', machineOffStep)
  .step('use', useStep)
  .step('on', onAgainStep)
  .step('confirm', confirmStep)
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, name, backup, template } = input;
    // The addresses may have changed since the backup. What is left of the other system is removed later.
    const restored = outcome === 'Completed' ? { template } : {};
    await machineChange(queries, service, { addresses_digest: null, untidy: 1, ...restored });
    await backupTransferRemove(queries, holder);
    await reconcilerSignal(queries, 'machine-tidy');
    await reconcilerSignal(queries, 'machine-addresses');
    await deviceLockRelease(queries, name, holder);
    const event =
      outcome === 'Completed'
        ? ({ type: 'device.restore.completed', data: { backup } } as const)
        : ({ type: 'device.restore.failed', data: { backup, reason } } as const);
    await appendEvent(deps, queries, { account, service, ...event });
  });
