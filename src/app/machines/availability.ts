// Free capacity as customers see it before they order: what hypervisors reported last, without the machines ordered since. No
// hypervisor is asked, so a call costs the same while one does not respond; the workflow that places the machine asks them.
import { hypervisorList, nodeCapacity, type HypervisorRow } from '#store/devices/hypervisors.ts';
import { nodesOfGroup } from '#store/devices/machine-groups.ts';
import { machinesUncounted } from '#store/devices/machines.ts';
import { canHost, pickNode, type PlacementWish } from '#workflows/machine/placement.ts';
import type { Context } from '../app.ts';

type Uncounted = Awaited<ReturnType<typeof machinesUncounted>>[number];

interface OpenNode extends HypervisorRow {
  readonly node: string;
  readonly kinds: ReturnType<Context['app']['hypervisors']['kindsOf']>;
  memoryMb: number;
  diskGb: number;
}

export interface FreeCapacity {
  /** Every location of a hypervisor; empty for those without a name. */
  readonly locations: readonly string[];
  locationOf(node: string): string;
  /** Returns true if a hypervisor there, or anywhere, responded when it was last asked. */
  isReachable(location: string | undefined): boolean;
  /** Returns the locations that have room for a machine. */
  locationsFor(machine: PlacementWish): readonly string[];
  /** Returns true if the ordered machine of this service has room beside those that were ordered before it. */
  hasRoomFor(service: number): boolean;
}

export async function readFreeCapacity({ app, queries }: Context): Promise<FreeCapacity> {
  const rows = await hypervisorList(queries);
  // A hypervisor that does not respond, or whose capacity is unknown, has none.
  const nodes = rows.flatMap((row): OpenNode[] => {
    const { name, driver, capacity, error } = row;
    if (capacity === null || error !== null) return [];
    return [{ ...row, node: name, kinds: app.hypervisors.kindsOf(driver), ...nodeCapacity.decode(capacity).free }];
  });
  const uncounted = await machinesUncounted(queries);
  const reserve = (node: OpenNode | undefined, { memory_mb, disk_gb }: Uncounted): void => {
    if (node === undefined) return;
    node.memoryMb -= memory_mb;
    node.diskGb -= disk_gb;
  };
  for (const machine of uncounted)
    if (machine.node !== null)
      reserve(
        nodes.find(({ name }) => name === machine.node),
        machine,
      );
  // Those without a hypervisor, as they will be placed.
  const placed = new Map<number, string>();
  const groups = new Map<number, Set<string>>();
  for (const machine of uncounted.filter(({ node }) => node === null)) {
    const { service_id, group_id } = machine;
    const taken =
      group_id === null ? new Set<string>() : (groups.get(group_id) ?? new Set(await nodesOfGroup(queries, machine)));
    const node = pickNode(
      nodes.filter((candidate) => canHost(candidate, candidate.kinds, machine, taken)),
      machine,
    );
    if (node === undefined) continue;
    reserve(node, machine);
    placed.set(service_id, node.name);
    if (group_id !== null) groups.set(group_id, taken.add(node.name));
  }
  return {
    locations: [...new Set(rows.map(({ location }) => location))].toSorted(),
    locationOf: (node) => rows.find(({ name }) => name === node)?.location ?? '',
    isReachable: (wanted) => nodes.some(({ location }) => (wanted ?? location) === location),
    locationsFor: (machine) =>
      [...new Set(nodes.map(({ location }) => location))].toSorted().filter(
        (location) =>
          pickNode(
            nodes.filter((node) => canHost(node, node.kinds, { ...machine, wanted_location: location }, new Set())),
            machine,
          ) !== undefined,
      ),
    hasRoomFor: (service) => placed.has(service),
  };
}
