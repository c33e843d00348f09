// Backs up a virtual machine: copies its disks on the hypervisor, which takes the lock, and then stores the copy in the
// machine's repository, while the machine can be used as usual. A backup exists for the customer once it is stored completely.
import { appendEvent } from '#events/append.ts';
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import {
  backupPlanChange,
  backupPlanFind,
  backupReconciler,
  backupTransferRemove,
  machineBackupChange,
  machineBackupsDiscard,
} from '#store/devices/machine-backups.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  discardWithRetry,
  extendDeviceLock,
  machineLockStep,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, wait, workflow, type StepResult } from '../engine/workflow.ts';
import { awaitTransfer, cancelTransfer, copyName, transferLimit } from './backup-job.ts';

export interface MachineBackupInput extends MachineTarget {
  /** Its row exists. */
  readonly backup: string;
  /** The attached volumes that it includes, by their id on the hypervisor. */
  readonly volumes?: readonly string[];
}

const hourMs = 3_600_000;
const copyPollMs = 2000;
const copyTimeoutMs = 60_000;

const notableFailures = 3;

export const machineBackup = workflow<MachineDeps, MachineBackupInput>('machine-backup', 1)
  .step('lock', machineLockStep)
  .step('copy', {
    do: (context, input) => toStepResult(context, () => copyMachine(context, input)),
    undo: (context, input) => undoWithRetry(context, undefined, () => discardCopy(context, input)),
    limit: { ms: 6 * hourMs, code: 'node_unreachable', reason: 'Copying the machine took too long.' },
  })
  .step('store', {
    do: (context, { service, backup }) =>
      awaitTransfer(context, { kind: 'store', backup_id: backup, service_id: service }),
    undo: (context) => cancelTransfer(context),
    limit: transferLimit,
  })
  .step('discard', {
    do: (context, input) => discardWithRetry(context, 24 * hourMs, () => discardCopy(context, input)),
    undo: 'nothing',
    limit: { ms: 25 * hourMs, code: 'node_unreachable', reason: 'The copy of the machine could not be removed.' },
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason, detail }, deps) => {
    const { service, name, backup } = input;
    await backupTransferRemove(queries, holder);
    await deviceLockRelease(queries, name, holder);
    if (outcome === 'Completed') {
      await machineBackupChange(queries, backup, { state: 'stored' });
      await backupPlanChange(queries, service, { failures: 0, error: '', needs_prune: 1 });
      await appendEvent(deps, queries, { account, service, type: 'device.backup.completed', data: { backup } });
    } else {
      await machineBackupsDiscard(queries, service, [backup]);
      if (outcome === 'Failed') {
        const { failures = 0 } = (await backupPlanFind(queries, service)) ?? {};
        await backupPlanChange(queries, service, { failures: failures + 1, error: detail === '' ? reason : detail });
        // Once for each series: the panel shows the rest.
        const failing = { failures: String(failures + 1), reason };
        if (failures + 1 === notableFailures)
          await appendEvent(deps, queries, { account, service, type: 'device.backup.failing', data: failing });
      }
      await appendEvent(deps, queries, { account, service, type: 'device.backup.failed', data: { backup, reason } });
    }
    await reconcilerSignal(queries, backupReconciler);
  });

async function copyMachine(
  context: MachineContext,
  input: MachineBackupInput,
): Promise<StepResult<{ readonly isConsistent: boolean }>> {
  const { node, name, backup, volumes = [] } = input;
  const { workflow: id } = context;
  if (!(await extendDeviceLock(context, input)))
    return failed('device_busy', 'Another command took over the machine while it was being copied.');
  try {
    const { isConsistent } = await useHypervisor(
      context,
      node,
      async (hypervisor, limit) => {
        const backups = requireCapability(hypervisor, 'backups');
        const copies = [await backups.copy(name, copyName(id), limit)];
        for (const volume of volumes) copies.push(await backups.copyVolume(volume, name, copyName(id), limit));
        return { isConsistent: copies.every((copy) => copy.isConsistent) };
      },
      copyTimeoutMs,
    );
    return done({ isConsistent }, async (queries) => {
      await machineBackupChange(queries, backup, { is_consistent: isConsistent ? 1 : 0 });
      // The rest takes long, and concerns only the copy.
      await deviceLockRelease(queries, name, id);
    });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'device_busy') return wait(copyPollMs);
    throw error;
  }
}

async function discardCopy(context: MachineContext, input: MachineBackupInput): Promise<StepResult<undefined>> {
  const { node, name, volumes = [] } = input;
  const id = copyName(context.workflow);
  await useHypervisor(context, node, async (hypervisor, limit) => {
    const backups = requireCapability(hypervisor, 'backups');
    for (const volume of volumes) await backups.discardVolume(volume, name, id, limit);
    await backups.discard(name, id, limit);
  });
  return done();
}
