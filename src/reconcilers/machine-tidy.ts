// Removes replaced systems of virtual machines, machines of terminated services, what an abandoned creation has left, and snapshots
// and images that customers have deleted. Not a step of workflows, because it cannot be undone: it runs only after they have ended.
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { removeMachineCopy } from '#equipment/machine-copies.ts';
import { commandTimeout, runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import {
  machineCopiesObsolete,
  machineCopiesOf,
  machineCopyRemove,
  type MachineCopy,
} from '#store/devices/machine-copies.ts';
import {
  imageValue,
  machineImageRemove,
  machineImagesToDelete,
  type MachineImage,
} from '#store/devices/machine-images.ts';
import {
  machineSnapshotRemove,
  machineSnapshotsRemoveOf,
  machineSnapshotsToDelete,
  snapshotName,
} from '#store/devices/machine-snapshots.ts';
import { vncSessionsRemoveOf } from '#store/devices/vnc-sessions.ts';
import {
  machineChange,
  machineFind,
  machineName,
  machineRemove,
  machinesToDelete,
  machinesToTidy,
  type Machine,
} from '#store/devices/machines.ts';
import { volumesElsewhere, volumesReleaseOf } from '#store/devices/volumes.ts';
import { snapshotUsagePut } from '#store/pricing/snapshot-usage.ts';
import { runNodeWork, type NodeWork } from './node-work.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface MachineTidyParts extends ReconcilerParts, CommandParts {
  readonly hypervisors: Hypervisors;
}

type TidyRun = MachineTidyParts & { readonly failures: FailureLog };

const everySeconds = 60;
const removeTimeoutMs = 30_000;

export function machineTidy(tidyParts: MachineTidyParts): Reconciler {
  const parts = { ...tidyParts, failures: failureLog(tidyParts.log, 'could not tidy up a machine') };
  return {
    name: 'machine-tidy',
    everySeconds,
    deadlineSeconds: 300,
    async run(signal) {
      const { queries } = parts.store;
      const work = <Row extends { readonly node: string | null }>(
        rows: readonly Row[],
        remove: (parts: TidyRun, row: Row, signal: AbortSignal) => Promise<boolean>,
      ): NodeWork[] => rows.map((row) => ({ node: row.node ?? '', run: () => remove(parts, row, signal) }));
      const all = [
        ...work(await machinesToDelete(queries), removeMachine),
        ...work(await machineCopiesObsolete(queries), removeCopy),
        ...work(await machinesToTidy(queries), removeOldSystem),
        ...work(await machineSnapshotsToDelete(queries), removeSnapshot),
        ...work(await machineImagesToDelete(queries), removeImage),
      ];
      return { backlog: await runNodeWork(all, signal) };
    },
  };
}

async function removeMachine(parts: TidyRun, machine: Machine, signal: AbortSignal): Promise<boolean> {
  const { node, service_id } = machine;
  const removeRow = () =>
    parts.store.transaction(async (queries) => {
      await vncSessionsRemoveOf(queries, service_id);
      await consoleTicketsRemoveOf(queries, service_id);
      await volumesReleaseOf(queries, service_id);
      await machineSnapshotsRemoveOf(queries, service_id);
      await machineRemove(queries, service_id);
    });
  if (node === null) {
    await removeRow();
    return true;
  }
  return runOnMachine(parts, machine, 'the removal of the machine', signal, async (name, limit) => {
    // It may have migrated since it was listed.
    if ((await machineFind(parts.store.queries, service_id))?.node !== node) throw new ApiError('device_busy');
    // Also if the machine seems gone: an interrupted removal may have left disks.
    await parts.hypervisors.use(node, ({ machines }) => machines.remove(name, limit));
    await removeRow();
  });
}

async function removeOldSystem(parts: TidyRun, machine: Machine, signal: AbortSignal): Promise<boolean> {
  const { node, service_id } = machine;
  if (node === null) return false;
  return runOnMachine(parts, machine, 'the removal of the old system', signal, async (name, limit) => {
    const { queries } = parts.store;
    const current = await machineFind(queries, service_id);
    // Another creation has removed it meanwhile.
    if (current?.untidy !== 1 || current.node !== node) return;
    const isPending = current.state === 'pending';
    await parts.hypervisors.use(node, ({ machines, systems }) =>
      isPending ? machines.remove(name, limit) : systems.tidy(name, limit),
    );
    await machineChange(queries, service_id, { untidy: 0, ...(isPending && { node: null }) });
  });
}

/** Removes what a migration left on a hypervisor that the machine is not on. */
async function removeCopy(parts: TidyRun, copy: MachineCopy, signal: AbortSignal): Promise<boolean> {
  const { queries } = parts.store;
  return runOnMachine(parts, copy, 'the removal of the old copy', signal, async (name, limit) => {
    // A migration may have used or made it again.
    const current = (await machineCopiesOf(queries, copy.service_id)).find(({ node }) => node === copy.node);
    if (current?.is_obsolete !== 1) return;
    if ((await machineFind(queries, copy.service_id))?.node === copy.node)
      throw new Error(`the copy of ${name} on ${copy.node} is the machine itself`);
    const volumes = await volumesElsewhere(queries, copy.service_id, copy.node);
    await parts.hypervisors.use(copy.node, (hypervisor) => removeMachineCopy(hypervisor, name, volumes, limit));
    await machineCopyRemove(queries, copy);
  });
}

async function removeSnapshot(
  parts: TidyRun,
  snapshot: Awaited<ReturnType<typeof machineSnapshotsToDelete>>[number],
  signal: AbortSignal,
): Promise<boolean> {
  const { id, node, account_id, service_id } = snapshot;
  return runOnMachine(parts, snapshot, 'the removal of a snapshot', signal, async (name, limit) => {
    if ((await machineFind(parts.store.queries, service_id))?.node !== node) throw new ApiError('device_busy');
    await parts.hypervisors.use(node, (hypervisor) =>
      requireCapability(hypervisor, 'snapshots').remove(name, snapshotName(id), limit),
    );
    await parts.store.transaction(async (queries) => {
      await machineSnapshotRemove(queries, id);
      await snapshotUsagePut(queries, { account_id, service_id }, parts.clock.now());
    });
  });
}

async function removeImage(parts: TidyRun, { id, node }: MachineImage, signal: AbortSignal): Promise<boolean> {
  const name = imageValue(id);
  return parts.failures.attemptCommand(name, async () => {
    const limit = commandTimeout(signal, removeTimeoutMs);
    await parts.hypervisors.use(node, (hypervisor) =>
      requireCapability(hypervisor, 'snapshots').removeTemplate(name, limit),
    );
    await machineImageRemove(parts.store.queries, id);
  });
}

/** Returns false, to retry in a later run, if the machine is busy or its hypervisor does not respond. */
async function runOnMachine(
  parts: TidyRun,
  { vmid, node }: Pick<Machine, 'vmid' | 'node'>,
  purpose: string,
  signal: AbortSignal,
  work: (name: string, limit: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const name = machineName(vmid);
  // With the hypervisor, because there can be work on a machine on two of them at once.
  const lock = { device: name, holder: `tidy ${parts.instanceId} ${node}`, purpose };
  return parts.failures.attemptCommand(name, () =>
    runDeviceCommand(parts, lock, (limit) => work(name, limit), { signal, timeoutMs: removeTimeoutMs }),
  );
}
