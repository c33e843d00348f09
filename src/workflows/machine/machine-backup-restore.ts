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
  machineDevice,
  machineLockStep,
  machineOffStep,
  setPower,
  toStepResult,
  undoWithRetry,
  useHypervisor,
  type MachineContext,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { done, failed, workflow, type Settled } from '../engine/workflow.ts';
import { awaitTransfer, cancelTransfer, restoredSystem, transferLimit } from './backup-job.ts';

export interface MachineBackupRestoreInput extends MachineTarget {
  readonly backup: string;
  /** Of the backup. */
  readonly template: string;
  readonly graceMs: number;
}

export const machineBackupRestore = workflow<MachineDeps, MachineBackupRestoreInput>('machine-backup-restore', 1)
  .step('lock', machineLockStep)
  .step('look', {
    do: (context, input) =>
      toStepResult(context, async () => {
        const { node, name } = input;
        const was = await machineDevice(context, input).state();
        // Leftovers of an earlier reinstall would take the disk space of this one.
        await useHypervisor(context, node, ({ systems }, limit) => systems.tidy(name, limit));
        const system = await useHypervisor(context, node, ({ systems }, limit) => systems.current(name, limit));
        return done({ was, system });
      }),
    undo: 'nothing',
  })
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
  .step('use', {
    do: (context, input) => toStepResult(context, () => useSystem(context, input, restoredSystem(context.workflow))),
    undo: (context, input, { look }) =>
      undoWithRetry(context, input, async () => {
        if (look === undefined) return done();
        await machineDevice(context, input).set('off');
        return useSystem(context, input, look.system);
      }),
  })
  .step('on', {
    do: (context, input, { look }) =>
      toStepResult(context, async () =>
        look.was === 'on' ? setPower(machineDevice(context, input), 'on') : done(undefined),
      ),
    undo: (context, input) => undoWithRetry(context, input, () => setPower(machineDevice(context, input), 'off')),
  })
  .step('confirm', {
    do: (context, input, { look }) => toStepResult(context, () => confirmRestored(context, input, look.was)),
    undo: 'nothing',
  })
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, name, backup, template } = input;
    // The addresses may have changed since the backup. What is left of the other system is removed later.
    const restored = outcome === 'Completed' ? { template } : {};
    await machineChange(queries, service, { addresses_digest: null, untidy: 1, ...restored });
    await backupTransferRemove(queries, holder);
    await reconcilerSignal(queries, 'machine-tidy');
    await reconcilerSignal(queries, 'machine-addresses');
    await deviceLockRelease(queries, name, holder);
    const events = {
      Completed: { type: 'device.restore.completed', data: { backup } },
      Failed: { type: 'device.restore.failed', data: { backup, reason } },
      Cancelled: { type: 'device.restore.failed', data: { backup, reason } },
    } as const;
    await appendEvent(deps, queries, { account, service, ...events[outcome] });
  });

async function useSystem(
  context: MachineContext,
  { node, name }: MachineBackupRestoreInput,
  system: string,
): Promise<Settled<undefined>> {
  await useHypervisor(context, node, ({ systems }, limit) => systems.use(name, system, limit));
  return done();
}

async function confirmRestored(
  context: MachineContext,
  { node, name }: MachineBackupRestoreInput,
  power: 'on' | 'off',
): Promise<Settled<undefined>> {
  const [current, state] = await useHypervisor(context, node, async (hypervisor, limit) => [
    await hypervisor.systems.current(name, limit),
    await hypervisor.power.state(name, limit),
  ]);
  const isRestored = current === restoredSystem(context.workflow) && state === power;
  return isRestored ? done() : failed('node_error', 'The restored system is not running.');
}
