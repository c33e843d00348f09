// How all equipment was last seen, for whoever looks after it.
import type { Queries } from '../store.ts';

export interface EquipmentSeen {
  readonly kind: 'server' | 'switch' | 'node';
  readonly name: string;
  /** What stood in the way of the last look, null where nothing did. */
  readonly error: string | null;
  readonly seen_at: number | null;
  /** Of a server. */
  readonly power: 'on' | 'off' | null;
}

export async function equipmentSeen(queries: Queries): Promise<EquipmentSeen[]> {
  const servers = await queries
    .selectFrom('servers')
    .select(['name', 'power_error as error', 'power_seen_at as seen_at', 'power_state as power'])
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute();
  const switches = await queries
    .selectFrom('switches')
    .select(['name', 'poll_error as error', 'last_poll_at as seen_at'])
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute();
  const nodes = await queries
    .selectFrom('nodes')
    .select(['name', 'error', 'seen_at'])
    .where('removed_at', 'is', null)
    .orderBy('name')
    .execute();
  return [
    ...servers.map((one) => ({ kind: 'server' as const, ...one })),
    ...switches.map((one) => ({ kind: 'switch' as const, power: null, ...one })),
    ...nodes.map((one) => ({ kind: 'node' as const, power: null, ...one })),
  ];
}

/** Machines that are not there yet, or not where the site file asks for them. */
export async function machinesAstray(queries: Queries) {
  return queries
    .selectFrom('machines')
    .select(['vmid', 'state', 'reason', 'wanted_node', 'node'])
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
