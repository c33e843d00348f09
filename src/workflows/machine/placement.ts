// Decides which hypervisors can host a new machine and which of them is best, or says why none can. Used by the workflow
// that places a machine, and to show customers the free capacity before they order.
import type { Capacity, MachineKind } from '#drivers/hypervisor/driver.ts';
import type { HypervisorRow } from '#store/devices/hypervisors.ts';
import { machineCopiesReserved } from '#store/devices/machine-copies.ts';
import { machinesNotCreated, type Machine } from '#store/devices/machines.ts';
import type { Queries } from '#store/store.ts';

export type PlacedShape = Pick<Machine, 'kind' | 'memory_mb' | 'disk_gb'>;
export type PlacementWish = PlacedShape & Pick<Machine, 'wanted_node' | 'wanted_location'>;

/** Returns true unless something other than capacity rules the hypervisor out. `taken` have other machines of its group. */
export function canHost(
  { name, location, maintenance_since }: Pick<HypervisorRow, 'name' | 'location' | 'maintenance_since'>,
  kinds: readonly MachineKind[],
  { kind, wanted_node, wanted_location }: PlacementWish,
  taken: ReadonlySet<string>,
): boolean {
  return (
    kinds.includes(kind) &&
    maintenance_since === null &&
    (wanted_node ?? name) === name &&
    (wanted_location ?? location) === location &&
    !taken.has(name)
  );
}

export interface FreeNode {
  readonly node: string;
  readonly memoryMb: number;
  readonly diskGb: number;
}

/** Returns what machines other than this one were promised and do not occupy yet. */
export async function promisedCapacity(queries: Queries, service: number) {
  return [...(await machinesNotCreated(queries, service)), ...(await machineCopiesReserved(queries, service))];
}

/** Returns what is left of the free capacity of a hypervisor without what was promised there. */
export function leftOn(node: string, free: Capacity, promised: Awaited<ReturnType<typeof promisedCapacity>>): FreeNode {
  const reserved = promised.filter((row) => row.node === node);
  return {
    node,
    memoryMb: reserved.reduce((left, { memory_mb }) => left - memory_mb, free.memoryMb),
    diskGb: reserved.reduce((left, { disk_gb }) => left - disk_gb, free.diskGb),
  };
}

/** Returns the hypervisor where the machine fits and that has the most memory left with it; undefined if it fits nowhere. */
export function pickNode<Node extends FreeNode>(
  nodes: readonly Node[],
  { memory_mb, disk_gb }: PlacedShape,
): Node | undefined {
  return nodes
    .filter(({ memoryMb, diskGb }) => memoryMb >= memory_mb && diskGb >= disk_gb)
    .toSorted((left, right) => right.memoryMb - left.memoryMb)[0];
}

export interface HypervisorSurvey {
  /** Those that something other than capacity or maintenance does not rule out. */
  readonly suitable: number;
  /** Those of them that are not under maintenance. */
  readonly candidates: number;
  /** Those candidates that cannot run the template. */
  readonly unable: number;
  /** The names of those candidates that did not respond. */
  readonly unreachable: readonly string[];
}

export function reasonNotPlaced(
  machine: PlacementWish & Pick<Machine, 'group_id' | 'hypervisor_name' | 'template'>,
  { suitable, candidates, unable, unreachable }: HypervisorSurvey,
): string {
  const { kind, memory_mb, disk_gb, wanted_node, wanted_location, group_id, hypervisor_name, template } = machine;
  const place = wanted_location === null ? '' : ` in ${wanted_location}`;
  if (suitable === 0) {
    if (wanted_node !== null) return `Hypervisor ${wanted_node} does not exist or does not run ${kind} machines.`;
    const apart = group_id === null ? '' : ' and is free of other machines of its group';
    return `No hypervisor${place} runs ${kind} machines${apart}.`;
  }
  if (candidates === 0)
    return wanted_node === null
      ? `Every hypervisor${place} that could run the machine is under maintenance.`
      : `Hypervisor ${wanted_node} is under maintenance.`;
  const silent = unreachable.length === 0 ? '' : ` No response from ${unreachable.join(', ')}.`;
  if (unreachable.length === candidates) return `No hypervisor${place} is reachable at the moment.${silent}`;
  if (hypervisor_name !== null) return `Hypervisor ${wanted_node} has no machine ${hypervisor_name} to adopt.`;
  if (unable + unreachable.length === candidates)
    return `No hypervisor${place} can run the template ${template}.${silent}`;
  return `No hypervisor${place} has ${memory_mb} MB of memory and ${disk_gb} GB of disk left.${silent}`;
}
