// Which hypervisors a new machine can be placed on, and which one is best. Shared by the workflow that places a machine and by
// what customers see of free capacity before they order one.
import type { MachineKind } from '#drivers/hypervisor/driver.ts';
import type { HypervisorRow } from '#store/devices/hypervisors.ts';
import type { Machine } from '#store/devices/machines.ts';

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

/** Returns the hypervisor where the machine fits and that has the most memory left with it; undefined if it fits nowhere. */
export function pickNode<Node extends FreeNode>(
  nodes: readonly Node[],
  { memory_mb, disk_gb }: PlacedShape,
): Node | undefined {
  return nodes
    .filter(({ memoryMb, diskGb }) => memoryMb >= memory_mb && diskGb >= disk_gb)
    .toSorted((left, right) => right.memoryMb - left.memoryMb)[0];
}
