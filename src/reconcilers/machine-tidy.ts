// Removes replaced systems of virtual machines, machines of terminated services, and what an abandoned creation has left. Not a
// step of those workflows, because it cannot be undone: it runs only after they have ended.
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { removeMachineCopy } from '#equipment/machine-copies.ts';
import { runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import {
  machineCopiesObsolete,
  machineCopiesOf,
  machineCopyRemove,
  type MachineCopy,
} from '#store/devices/machine-copies.ts';
import { machineSnapshotsRemoveOf } from '#store/devices/machine-snapshots.ts';
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
import { removeDeletedCopies } from './snapshot-tidy.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface MachineTidyParts extends ReconcilerParts, CommandParts {
  readonly hypervisors: Hypervisors;
}

type TidyRun = MachineTidyParts & { readonly failures: FailureLog };

const everySeconds = 60;
const removeTimeoutMs = 30_000;
const machinesPerRun = 100;

export function machineTidy(tidyParts: MachineTidyParts): Reconciler {
  const parts = { ...tidyParts, failures: failureLog(tidyParts.log, 'could not tidy up a machine') };
  return {
    name: 'machine-tidy',
    everySeconds,
    deadlineSeconds: 300,
    async run(signal) {
      let backlog = 0;
      for (const machine of await machinesToDelete(parts.store.queries, machinesPerRun)) {
        if (signal.aborted || !(await removeMachine(parts, machine, signal))) backlog++;
      }
      for (const copy of await machineCopiesObsolete(parts.store.queries, machinesPerRun)) {
        if (signal.aborted || !(await removeCopy(parts, copy, signal))) backlog++;
      }
      for (const machine of await machinesToTidy(parts.store.queries, machinesPerRun)) {
        if (signal.aborted || !(await removeOldSystem(parts, machine, signal))) backlog++;
      }
      backlog += await removeDeletedCopies(parts, signal, (machine, purpose, work) =>
        runOnMachine(parts, machine, purpose, signal, work),
      );
      return { backlog };
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

/** Returns false, to retry in a later run, if the machine is busy or its hypervisor does not respond. */
async function runOnMachine(
  parts: TidyRun,
  { vmid }: Pick<Machine, 'vmid'>,
  purpose: string,
  signal: AbortSignal,
  work: (name: string, limit: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const name = machineName(vmid);
  const lock = { device: name, holder: `tidy ${parts.instanceId}`, purpose };
  return parts.failures.attemptCommand(name, () =>
    runDeviceCommand(parts, lock, (limit) => work(name, limit), { signal, timeoutMs: removeTimeoutMs }),
  );
}
