// Removes what machines have of systems that they no longer boot. It is no step of the reinstall itself: from this there is no
// way back, so it is done only once the reinstall has ended well.
import type { Nodes } from '#equipment/nodes.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { machineChange, machineName, machinesUntidy, type Machine } from '#store/machines.ts';
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
      for (const machine of await machinesUntidy(parts.store.queries, machinesInARun)) {
        if (signal.aborted || !(await tidied(parts, machine, signal))) backlog++;
      }
      return { backlog };
    },
  };
}

/** A machine that is busy, or whose node does not answer, is tidied another time. */
async function tidied(parts: MachineTidyParts, { service_id, vmid, node }: Machine, signal: AbortSignal) {
  if (node === null) return false;
  const name = machineName(vmid);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(tidyMs)]);
  const lock = { device: name, holder: `tidy ${parts.node}`, purpose: 'removing the old system' };
  try {
    await withDeviceLock(parts, lock, async () => {
      await parts.nodes.use(node, (hypervisor) => hypervisor.systems.tidy(name, limit));
      await machineChange(parts.store.queries, service_id, { untidy: 0 });
    });
    return true;
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}
