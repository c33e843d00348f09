// The last known state of all equipment, for operators.
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

export interface EquipmentState {
  readonly kind: 'server' | 'switch' | 'node';
  readonly name: string;
  /** The error of the last check; null if it succeeded. */
  readonly error: string | null;
  readonly seen_at: number | null;
  /** For servers. */
  readonly power: 'on' | 'off' | null;
}

export async function equipmentStates(queries: Queries): Promise<EquipmentState[]> {
  const servers = selectWhere(queries, 'servers', { removed_at: null })
    .select(['name', 'power_error as error', 'power_seen_at as seen_at', 'power_state as power'])
    .orderBy('name');
  const switches = selectWhere(queries, 'switches', { removed_at: null })
    .select(['name', 'poll_error as error', 'last_poll_at as seen_at'])
    .orderBy('name');
  const nodes = selectWhere(queries, 'nodes', { removed_at: null })
    .select(['name', 'error', 'seen_at'])
    .orderBy('name');
  return [
    ...(await servers.execute()).map((row) => ({ kind: 'server' as const, ...row })),
    ...(await switches.execute()).map((row) => ({ kind: 'switch' as const, power: null, ...row })),
    ...(await nodes.execute()).map((row) => ({ kind: 'node' as const, power: null, ...row })),
  ];
}

/** Returns machines that do not exist yet, or are not on the hypervisor that the site file specifies. */
export async function machinesMisplaced(queries: Queries) {
  return queries
    .selectFrom('machines')
    .select(['vmid', 'state', 'reason', 'detail', 'wanted_node', 'node'])
    .where('untidy', '<', 2)
    .where((where) =>
      where.or([
        where('state', '=', 'pending'),
        where.and([where('wanted_node', 'is not', null), where('node', '!=', where.ref('wanted_node'))]),
      ]),
    )
    .orderBy('vmid')
    .execute();
}
