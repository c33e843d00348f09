// Removes what machines have of systems that they no longer boot, and machines whose service is terminated. It is no step of
// the reinstall or the termination itself: from this there is no way back, so it is done only once those have ended well.
import type { Nodes } from '#equipment/nodes.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import {
  machineChange,
  machineName,
  machineRemove,
  machinesOver,
  machinesUntidy,
  type Machine,
} from '#store/devices/machines.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

export interface MachineTidyParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly nodes: Nodes;
  /** This process. */
  readonly node: string;
}

const everySeconds = 60;
const tidyMs = 30_000;
const machinesInARun = 100;

export function machineTidy(parts: MachineTidyParts): Reconciler {
  return {
    name: 'machine-tidy',
    everySeconds,
    deadlineSeconds: 300,
    async run(signal) {
      let backlog = 0;
      for (const machine of await machinesOver(parts.store.queries, machinesInARun)) {
        if (signal.aborted || !(await removed(parts, machine, signal))) backlog++;
      }
      for (const machine of await machinesUntidy(parts.store.queries, machinesInARun)) {
        if (signal.aborted || !(await tidied(parts, machine, signal))) backlog++;
      }
      return { backlog };
    },
  };
}

async function removed(parts: MachineTidyParts, machine: Machine, signal: AbortSignal): Promise<boolean> {
  const { node, service_id } = machine;
  const forget = () => machineRemove(parts.store.queries, service_id);
  if (node === null) {
    await forget();
    return true;
  }
  return inTurn(parts, machine, 'removing the machine', signal, async (name, limit) => {
    await parts.nodes.use(node, async (hypervisor) => {
      if ((await hypervisor.machines.find(name, limit)) !== undefined) await hypervisor.machines.remove(name, limit);
    });
    await forget();
  });
}

async function tidied(parts: MachineTidyParts, machine: Machine, signal: AbortSignal): Promise<boolean> {
  const { node, service_id } = machine;
  if (node === null) return false;
  return inTurn(parts, machine, 'removing the old system', signal, async (name, limit) => {
    await parts.nodes.use(node, (hypervisor) => hypervisor.systems.tidy(name, limit));
    await machineChange(parts.store.queries, service_id, { untidy: 0 });
  });
}

/** A machine that is busy, or whose node does not answer, has its turn another time. */
async function inTurn(
  parts: MachineTidyParts,
  { vmid }: Machine,
  purpose: string,
  signal: AbortSignal,
  work: (name: string, limit: AbortSignal) => Promise<void>,
): Promise<boolean> {
  const name = machineName(vmid);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(tidyMs)]);
  try {
    await withDeviceLock(parts, { device: name, holder: `tidy ${parts.node}`, purpose }, () => work(name, limit));
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
