// Takes a snapshot of a virtual machine, which keeps running. Its row exists from the beginning; a snapshot that failed does not
// exist on the hypervisor, and its row says why.
import { appendEvent } from '#events/append.ts';
import { deviceLockRelease } from '#store/devices/device-locks.ts';
import { machineSnapshotChange, snapshotName } from '#store/devices/machine-snapshots.ts';
import { snapshotUsagePut } from '#store/pricing/snapshot-usage.ts';
import { machineLockStep, undoWithRetry, type MachineDeps, type MachineTarget } from '../device-steps.ts';
import { done, workflow } from '../engine/workflow.ts';
import { copyDisk, copyLimit, useSnapshots } from './machine-copy.ts';

export interface MachineSnapshotInput extends MachineTarget {
  readonly snapshot: number;
  /** As the customer named it. */
  readonly label: string;
}

export const machineSnapshot = workflow<MachineDeps, MachineSnapshotInput>('machine-snapshot', 1)
  .step('lock', machineLockStep)
  .step('copy', {
    do: (context, input) =>
      copyDisk(context, input, (snapshots, limit) => snapshots.create(input.name, snapshotName(input.snapshot), limit)),
    undo: (context, input) =>
      undoWithRetry(context, input, async () => {
        await useSnapshots(context, input, (snapshots, limit) =>
          snapshots.remove(input.name, snapshotName(input.snapshot), limit),
        );
        return done();
      }),
    limit: copyLimit,
  })
  .onEnd(async (queries, { workflow: holder, input, account, reason, ...ending }, deps) => {
    const { service, name, snapshot, label } = input;
    await deviceLockRelease(queries, name, holder);
    const data = { snapshotid: String(snapshot), name: label };
    if (ending.outcome !== 'Completed') {
      await machineSnapshotChange(queries, snapshot, { state: 'failed', reason });
      const failure = { type: 'machine.snapshot.failed', data: { ...data, reason } } as const;
      return appendEvent(deps, queries, { account, service, ...failure });
    }
    const { sizeBytes, isConsistent } = ending.saved.copy;
    const result = { size_bytes: sizeBytes ?? null, is_consistent: isConsistent ? 1 : 0 };
    await machineSnapshotChange(queries, snapshot, { state: 'ready', ...result });
    await snapshotUsagePut(queries, { account_id: account, service_id: service }, deps.clock.now());
    return appendEvent(deps, queries, { account, service, type: 'machine.snapshot.completed', data });
  });
