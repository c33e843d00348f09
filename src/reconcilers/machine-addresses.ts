// Writes the addresses of services to what their virtual machines read when they boot. Running systems are not touched. A
// hypervisor that does not respond, or a busy machine, gets them in a later run.
import type { NetworkSettings } from '#drivers/hypervisor/driver.ts';
import { isUnreachable, runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineChange } from '#store/devices/machines.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

export interface MachineAddressesParts extends ReconcilerParts, CommandParts {
  readonly hypervisors: Hypervisors;
}

interface MachineSettings {
  readonly service: number;
  readonly name: string;
  readonly node: string;
  readonly settings: NetworkSettings;
  readonly digest: string;
  /** True if the hypervisor has these settings. */
  readonly isApplied: boolean;
}

/** Whatever changes addresses signals it. Comparing thousands of machines more often would keep an idle server busy. */
const everySeconds = 1800;
const retrySeconds = 30;
const commandTimeoutMs = 30_000;

/** `settingsAfter` returns the settings of the next machines in the order of services, until there are none. */
export function machineAddresses(
  parts: MachineAddressesParts,
  settingsAfter: (service: number) => Promise<readonly MachineSettings[]>,
): Reconciler {
  return {
    name: 'machine-addresses',
    everySeconds,
    deadlineSeconds: 300,
    async run(signal) {
      const changed: MachineSettings[] = [];
      for (let page = await settingsAfter(0); page.length > 0; page = await settingsAfter(page.at(-1)!.service))
        changed.push(...page.filter(({ isApplied }) => !isApplied));
      const nodes = Map.groupBy(changed, ({ node }) => node).values();
      const left = await Promise.all(Array.from(nodes, (machines) => configureMachines(parts, machines, signal)));
      const backlog = left.reduce((sum, count) => sum + count, 0);
      return { backlog, ...(backlog > 0 && { againInSeconds: retrySeconds }) };
    },
  };
}

/** Returns how many machines of the hypervisor are left. */
async function configureMachines(
  parts: MachineAddressesParts,
  machines: readonly MachineSettings[],
  signal: AbortSignal,
): Promise<number> {
  let left = machines.length;
  for (const machine of machines) {
    if (signal.aborted) break;
    try {
      if (await configureMachine(parts, machine, signal)) left--;
    } catch (error) {
      if (isUnreachable(error)) break;
      parts.log.warn({ err: error, service: machine.service }, 'could not change the network settings of a machine');
    }
  }
  return left;
}

/** Returns false if another command is running on the machine. */
async function configureMachine(
  parts: MachineAddressesParts,
  { service, name, node, settings, digest }: MachineSettings,
  signal: AbortSignal,
): Promise<boolean> {
  const { queries } = parts.store;
  if ((await deviceLockFind(queries, name, parts.clock.now())) !== undefined) return false;
  const lock = { device: name, holder: `addresses ${parts.instanceId}`, purpose: 'a change of its addresses' };
  const configure = async (limit: AbortSignal): Promise<void> => {
    await parts.hypervisors.use(node, ({ systems }) => systems.setNetwork(name, settings, limit));
    // Under the lock, so that the record is never that of a system which a reinstall has replaced since.
    await machineChange(queries, service, { addresses_digest: digest });
  };
  await runDeviceCommand(parts, lock, configure, { signal, timeoutMs: commandTimeoutMs });
  return true;
}
