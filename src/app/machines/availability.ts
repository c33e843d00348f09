// Free capacity as customers see it before they order: what hypervisors reported last, without the machines ordered since. No
// hypervisor is asked, so a call costs the same while one does not respond; the workflow that places the machine asks them.
import { hypervisorList, nodeCapacity, type HypervisorRow } from '#store/devices/hypervisors.ts';
import { nodesOfGroup } from '#store/devices/machine-groups.ts';
import { machinesUncounted } from '#store/devices/machines.ts';
import type { Queries } from '#store/store.ts';
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
  /** Returns true if the ordered machine of this service has room alongside those that were ordered before it. */
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
  for (const machine of uncounted) {
    const node = nodes.find(({ name }) => name === machine.node);
    if (node !== undefined) reserve(node, machine);
  }
  const unplaced = uncounted.filter(({ node }) => node === null);
  const placed = await placeMachines(queries, nodes, unplaced);
  return {
    locations: [...new Set(rows.map(({ location }) => location))].toSorted(),
    locationOf: (node) => rows.find(({ name }) => name === node)?.location ?? '',
    isReachable: (wanted) => nodes.some(({ location }) => (wanted ?? location) === location),
    locationsFor: (machine) =>
      [...new Set(nodes.map(({ location }) => location))]
        .toSorted()
        .filter((location) => findNode(nodes, { ...machine, wanted_location: location }, new Set()) !== undefined),
    hasRoomFor: (service) => placed.has(service),
  };
}

/** Reserves room for machines as their workflows will place them. Returns the services for which there is some. */
async function placeMachines(
  queries: Queries,
  nodes: readonly OpenNode[],
  machines: readonly Uncounted[],
): Promise<ReadonlySet<number>> {
  const placed = new Set<number>();
  const groups = new Map<number, Set<string>>();
  for (const machine of machines) {
    const { service_id, group_id } = machine;
    const taken =
      group_id === null ? new Set<string>() : (groups.get(group_id) ?? new Set(await nodesOfGroup(queries, machine)));
    const node = findNode(nodes, machine, taken);
    if (node === undefined) continue;
    reserve(node, machine);
    placed.add(service_id);
    if (group_id !== null) groups.set(group_id, taken.add(node.name));
  }
  return placed;
}

function reserve(node: OpenNode, { memory_mb, disk_gb }: Uncounted): void {
  node.memoryMb -= memory_mb;
  node.diskGb -= disk_gb;
}

function findNode(
  nodes: readonly OpenNode[],
  machine: PlacementWish,
  taken: ReadonlySet<string>,
): OpenNode | undefined {
  return pickNode(
    nodes.filter((node) => canHost(node, node.kinds, machine, taken)),
    machine,
  );
}
