// Removes snapshots and images that customers have deleted, from the hypervisor and then from the database. Part of machine-tidy,
// because neither can be undone and a hypervisor may be away for long.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import {
  imageValue,
  machineImageRemove,
  machineImagesToDelete,
  type MachineImage,
} from '#store/devices/machine-images.ts';
import {
  machineSnapshotRemove,
  machineSnapshotsToDelete,
  snapshotName,
  type MachineSnapshot,
} from '#store/devices/machine-snapshots.ts';
import { machineFind, type Machine } from '#store/devices/machines.ts';
import { snapshotUsagePut } from '#store/pricing/snapshot-usage.ts';
import type { FailureLog, ReconcilerParts } from './reconciler.ts';

const perRun = 100;
const removeTimeoutMs = 30_000;

interface CopyTidyParts extends ReconcilerParts {
  readonly hypervisors: Hypervisors;
  readonly failures: FailureLog;
}
/** Returns false if the machine is busy or its hypervisor does not respond. */
type RunOnMachine = (
  machine: Machine,
  purpose: string,
  work: (name: string, limit: AbortSignal) => Promise<void>,
) => Promise<boolean>;

/** Returns how many are left. */
export async function removeDeletedCopies(
  parts: CopyTidyParts,
  signal: AbortSignal,
  runOnMachine: RunOnMachine,
): Promise<number> {
  let backlog = 0;
  for (const snapshot of await machineSnapshotsToDelete(parts.store.queries, perRun))
    if (signal.aborted || !(await removeSnapshot(parts, snapshot, runOnMachine))) backlog++;
  for (const image of await machineImagesToDelete(parts.store.queries, perRun))
    if (signal.aborted || !(await removeImage(parts, image, signal))) backlog++;
  return backlog;
}

async function removeSnapshot(
  parts: CopyTidyParts,
  snapshot: MachineSnapshot,
  runOnMachine: RunOnMachine,
): Promise<boolean> {
  const { id, service_id, account_id } = snapshot;
  const machine = await machineFind(parts.store.queries, service_id);
  const node = machine?.node;
  // A machine that is to be deleted takes its snapshots along.
  if (machine === undefined || !node || machine.untidy === 2) return true;
  return runOnMachine(machine, 'the removal of a snapshot', async (name, limit) => {
    await parts.hypervisors.use(node, (hypervisor) =>
      requireCapability(hypervisor, 'snapshots').remove(name, snapshotName(id), limit),
    );
    await parts.store.transaction(async (queries) => {
      await machineSnapshotRemove(queries, id);
      await snapshotUsagePut(queries, { account_id, service_id }, parts.clock.now());
    });
  });
}

async function removeImage(parts: CopyTidyParts, { id, node }: MachineImage, signal: AbortSignal): Promise<boolean> {
  const name = imageValue(id);
  return parts.failures.attemptCommand(name, async () => {
    const limit = commandTimeout(signal, removeTimeoutMs);
    await parts.hypervisors.use(node, (hypervisor) =>
      requireCapability(hypervisor, 'snapshots').removeTemplate(name, limit),
    );
    await machineImageRemove(parts.store.queries, id);
  });
}
