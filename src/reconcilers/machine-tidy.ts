// Removes replaced systems of virtual machines, and machines of terminated services. Not a step of those workflows, because it
// cannot be undone: it runs only after they have completed.
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { ApiError } from '#lib/api-error.ts';
import { consoleTicketsRemoveOf } from '#store/devices/console-tickets.ts';
import { vncSessionsRemoveOf } from '#store/devices/vnc-sessions.ts';
import {
  machineChange,
  machineName,
  machineRemove,
  machinesToDelete,
  machinesToTidy,
  type Machine,
} from '#store/devices/machines.ts';
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
      for (const machine of await machinesToTidy(parts.store.queries, machinesPerRun)) {
        if (signal.aborted || !(await removeOldSystem(parts, machine, signal))) backlog++;
      }
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
      await machineRemove(queries, service_id);
    });
  if (node === null) {
    await removeRow();
    return true;
  }
  return runOnMachine(parts, machine, 'the removal of the machine', signal, async (name, limit) => {
    // Also if the machine seems gone: an interrupted removal may have left disks.
    await parts.hypervisors.use(node, ({ machines }) => machines.remove(name, limit));
    await removeRow();
  });
}

async function removeOldSystem(parts: TidyRun, machine: Machine, signal: AbortSignal): Promise<boolean> {
  const { node, service_id } = machine;
  if (node === null) return false;
  return runOnMachine(parts, machine, 'the removal of the old system', signal, async (name, limit) => {
    await parts.hypervisors.use(node, (hypervisor) => hypervisor.systems.tidy(name, limit));
    await machineChange(parts.store.queries, service_id, { untidy: 0 });
  });
}

/** Returns false, to retry in a later run, if the machine is busy or its hypervisor does not respond. */
async function runOnMachine(
  parts: TidyRun,
  { vmid }: Machine,
  purpose: string,
  signal: AbortSignal,
  work: (name: string, limit: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const name = machineName(vmid);
  try {
    const lock = { device: name, holder: `tidy ${parts.instanceId}`, purpose };
    await runDeviceCommand(parts, lock, (limit) => work(name, limit), { signal, timeoutMs: removeTimeoutMs });
    parts.failures.succeeded(name);
    return true;
  } catch (error) {
    parts.failures.failed(name, error);
    if (error instanceof ApiError) return false;
    throw error;
  }
}
