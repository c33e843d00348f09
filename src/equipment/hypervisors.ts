// Sessions with hypervisors, by name. Callers that change a virtual machine also take its lock (device-command.ts).
import type { MachineNames } from '#drivers/hypervisor/adoption.ts';
import type { Hypervisor, HypervisorDriver, MachineKind } from '#drivers/hypervisor/driver.ts';
import { conflict } from '#lib/api-error.ts';
import { adoptedNames, hypervisorNameOf } from '#store/devices/adopted-machines.ts';
import { hypervisorFind } from '#store/devices/hypervisors.ts';
import { connections, type ConnectionParts, type Connections } from './connections.ts';
import { mutex, type Mutex } from './mutex.ts';
import { driverSettings } from '#store/driver-settings.ts';

export interface Hypervisors extends Connections<Hypervisor> {
  /** Virtual machines are placed one at a time. */
  readonly placing: Mutex;
  /** Returns the kinds of virtual machine that a driver's hypervisors run. */
  kindsOf(driver: string): readonly MachineKind[];
}

export function openHypervisors(parts: ConnectionParts<Readonly<Record<string, HypervisorDriver>>>): Hypervisors {
  const { store, clock, secrets, drivers } = parts;
  function driverFor(name: string): HypervisorDriver {
    const driver = drivers[name];
    if (driver === undefined) throw new Error(`hypervisor driver ${name} does not exist`);
    return driver;
  }

  const namesOf = (node: string): MachineNames => ({
    async onHypervisor(machine) {
      const { own, isTaken } = await hypervisorNameOf(store.queries, node, machine);
      if (own !== null) return own;
      if (isTaken) throw conflict(`Hypervisor ${node} has an adopted machine that is called ${machine}.`);
      return machine;
    },
    adopted: () => adoptedNames(store.queries, node),
  });

  const hypervisors = connections<Hypervisor>(clock, 'node_unreachable', async (name) => {
    const row = await hypervisorFind(store.queries, name);
    if (row === undefined) throw new Error(`hypervisor ${name} does not exist`);
    const settings = (): never => driverSettings.decode(secrets.open(row.settings, nodeSealContext(name))) as never;
    return { revision: row.revision, open: () => driverFor(row.driver).open(settings(), namesOf(name)) };
  });

  return { ...hypervisors, placing: mutex(), kindsOf: (driver) => driverFor(driver).kinds };
}

/** Binds sealed settings to their hypervisor. */
export function nodeSealContext(node: string): string {
  return `node ${node}`;
}
