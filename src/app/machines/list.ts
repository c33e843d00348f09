// Virtual machines as they are listed: all that is said comes out of the database, in one query, however many there are.
// How they really are is looked at in the background (reconcilers/machine-sync.ts).
import type { Static } from 'typebox';
import type { Machine as MachineShape, MachineAddresses } from '#contract/shapes/device.ts';
import { Fault } from '#kernel/fault.ts';
import { machineList, type ListedMachine, type Machine } from '#store/devices/machines.ts';
import { addressTexts } from './addresses.ts';
import type { Context } from '../yard.ts';

type Shown = Static<typeof MachineShape>;

export async function machinesListed(context: Context): Promise<Shown[]> {
  const rows = await machineList(context.queries, context.caller.account, undefined);
  return byMachine(rows).map(shown);
}

export async function machineShown(context: Context, vmid: number): Promise<Shown> {
  const [rows] = byMachine(await machineList(context.queries, context.caller.account, vmid));
  if (rows === undefined) throw new Fault('not_found');
  return shown(rows);
}

export async function machineAddresses(context: Context): Promise<Static<typeof MachineAddresses>> {
  const machines = byMachine(await machineList(context.queries, context.caller.account, undefined));
  return Object.fromEntries(
    machines.map((rows) => {
      const all = addressesOfRows(rows);
      const ipv6 = all.filter((address) => address.includes(':'));
      return [String(rows[0].vmid), { ipv4: all.filter((address) => !ipv6.includes(address)), ipv6 }];
    }),
  );
}

export type PowerWord = 'Online' | 'Offline' | 'Unknown';
/** What was last seen, where the last look succeeded. */
export function powerWord({ power_state, power_error }: Machine): PowerWord {
  if (power_error !== null || power_state === null) return 'Unknown';
  return power_state === 'on' ? 'Online' : 'Offline';
}

type Rows = readonly [ListedMachine, ...ListedMachine[]];

/** Rows of one machine stand together. */
function byMachine(rows: readonly ListedMachine[]): Rows[] {
  return [...Map.groupBy(rows, ({ vmid }) => vmid).values()] as unknown as Rows[];
}

function shown(rows: Rows): Shown {
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
