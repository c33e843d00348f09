// Lists virtual machines from the database, in one query for any number of them. reconcilers/machine-sync.ts keeps their state
// up to date in the background.
import type { Static } from 'typebox';
import type { Machine as MachineShape, MachineAddresses } from '#contract/shapes/device.ts';
import { requireFound } from '#lib/api-error.ts';
import { machineList, type ListedMachine, type Machine } from '#store/devices/machines.ts';
import { isServiceVisible } from '../services/limits.ts';
import { serviceOfVmid } from '../services/services.ts';
import { addressTexts } from './addresses.ts';
import type { Context } from '../app.ts';

type MachineEntry = Static<typeof MachineShape>;

export async function listMachines(context: Context): Promise<MachineEntry[]> {
  return (await visibleMachines(context, undefined)).map(machineEntry);
}

export async function getMachine(context: Context, vmid: number): Promise<MachineEntry> {
  // Rejects one that is terminated, as all other calls do.
  await serviceOfVmid(context, vmid);
  const [rows] = await visibleMachines(context, vmid);
  return machineEntry(requireFound(rows));
}

export async function machineAddresses(context: Context): Promise<Static<typeof MachineAddresses>> {
  const machines = await visibleMachines(context, undefined);
  return Object.fromEntries(
    machines.map((rows) => {
      const addresses = addressesOfRows(rows);
      const ipv6 = addresses.filter((address) => address.includes(':'));
      return [String(rows[0].vmid), { ipv4: addresses.filter((address) => !ipv6.includes(address)), ipv6 }];
    }),
  );
}

export type PowerWord = 'Online' | 'Offline' | 'Unknown';
/** Returns the last known state if the last check succeeded. */
export function powerWord({ power_state, power_error }: Machine): PowerWord {
  if (power_error !== null || power_state === null) return 'Unknown';
  return power_state === 'on' ? 'Online' : 'Offline';
}

type Rows = readonly [ListedMachine, ...ListedMachine[]];

/** The query returns a row per address block. */
async function visibleMachines({ queries, caller }: Context, vmid: number | undefined): Promise<Rows[]> {
  const all = await machineList(queries, caller.account, vmid);
  const rows = all.filter(({ service_id }) => isServiceVisible(caller.services, service_id));
  return [...Map.groupBy(rows, ({ vmid }) => vmid).values()] as unknown as Rows[];
}

function machineEntry(rows: Rows): MachineEntry {
  const [machine] = rows;
  return {
    vmid: String(machine.vmid),
    hostname: machine.hostname,
    status: machine.status === 'Active' ? powerWord(machine) : machine.status,
    type: machine.kind,
    node: machine.node ?? '',
    template: machine.template,
    memory: `${machine.memory_mb} MB`,
    harddisk: `${machine.disk_gb} GB`,
    bandwidth: `${machine.bandwidth_gb} GB`,
    ipaddr: addressesOfRows(rows),
  };
}

function addressesOfRows(rows: Rows): string[] {
  const blocks = rows.flatMap(({ block_first, block_last }) =>
    block_first === null || block_last === null ? [] : [{ first: block_first, last: block_last }],
  );
  return addressTexts(rows[0].ip, blocks);
}
