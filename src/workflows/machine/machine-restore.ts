// Restores a virtual machine from a snapshot. The snapshot becomes a system alongside the current one, as in a reinstall, so a restore
// that fails leaves the machine unchanged. The replaced system is removed after the workflow has completed
// (reconcilers/machine-tidy.ts), because that cannot be undone.
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { snapshotName } from '#store/devices/machine-snapshots.ts';
import { machineChange } from '#store/devices/machines.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import {
  machineAskStep,
  machineLockStep,
  machineOffStep,
  onAgainStep,
  type MachineDeps,
  type MachineTarget,
} from '../device-steps.ts';
import { workflow } from '../engine/workflow.ts';
import { copyDisk, copyLimit } from './machine-copy.ts';
import { confirmStep, lookStep, newSystemId, undoBuild, useStep } from './system-switch.ts';

export interface MachineRestoreInput extends MachineTarget {
  readonly snapshot: number;
  /** As the customer named it. */
  readonly label: string;
  /** The template that the restored system was installed with. */
  readonly template: string;
  readonly graceMs: number;
}

export const machineRestore = workflow<MachineDeps, MachineRestoreInput>('machine-restore', 1)
  .step('lock', machineLockStep)
  .step('look', lookStep)
  .step('copy', {
    do: (context, input) =>
      copyDisk(context, input, (snapshots, limit) =>
        snapshots.restore(input.name, snapshotName(input.snapshot), newSystemId(context.workflow), limit),
      ),
    undo: undoBuild,
    limit: copyLimit,
  })
  .step('ask', machineAskStep)
  .step('off', machineOffStep)
  .step('use', useStep)
  .step('on', onAgainStep)
  .step('confirm', confirmStep)
  .onEnd(async (queries, { workflow: holder, input, outcome, account, reason }, deps) => {
    const { service, name, snapshot, label, template } = input;
    await deviceLockRelease(queries, name, holder);
    // The addresses may have changed since the snapshot was taken.
    const restored = outcome === 'Completed' ? { template, untidy: 1 } : {};
    await machineChange(queries, service, { addresses_digest: null, ...restored });
    await reconcilerSignal(queries, 'machine-tidy');
    await reconcilerSignal(queries, 'machine-addresses');
    const data = { snapshotid: String(snapshot), name: label };
    const event =
      outcome === 'Completed'
        ? ({ type: 'machine.snapshot.restored', data } as const)
        : ({ type: 'machine.snapshot.restorefailed', data: { ...data, reason } } as const);
    await appendEvent(deps, queries, { account, service, ...event });
  });
