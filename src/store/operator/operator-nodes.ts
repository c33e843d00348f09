// Hypervisors as operators see them, with the machines on each.
import { sql } from 'kysely';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

/** Returns the hypervisors after this one, by name. */
export async function nodePage(queries: Queries, after: string, limit: number) {
  return nodes(queries).where('name', '>', after).orderBy('name').limit(limit).execute();
}

export async function nodeFind(queries: Queries, name: string) {
  return nodes(queries).where('name', '=', name).executeTakeFirst();
}

function nodes(queries: Queries) {
  return selectWhere(queries, 'nodes', { removed_at: null }).select([
    'name',
    'driver',
    'next_look_at',
    'seen_at',
    'error',
    'error_text',
    'capacity',
    'capacity_at',
    'maintenance_since',
    'maintenance_reason',
    'evacuation_since',
    'evacuation_ended_at',
  ]);
}
export type NodeRow = Awaited<ReturnType<typeof nodePage>>[number];

/** Returns what the machines on these hypervisors take; those that are not created yet apart. */
export async function machineTotals(queries: Queries, names: readonly string[]) {
  if (names.length === 0) return new Map<string, MachineTotals>();
  const rows = await queries
    .selectFrom('machines')
    .select(({ fn }) => [
      'node',
      fn.countAll<number>().as('machines'),
      fn.sum<number>('vcpus').as('vcpus'),
      sql<number>`sum(case when state = 'pending' then memory_mb else 0 end)`.as('pendingMb'),
      sql<number>`sum(case when state = 'pending' then disk_gb else 0 end)`.as('pendingGb'),
    ])
    .where('node', 'in', names)
    .groupBy('node')
    .execute();
  return new Map(
    rows.map(({ node, machines, vcpus, pendingMb, pendingGb }): [string, MachineTotals] => [
      node!,
      {
        machines: Number(machines),
        vcpus: Number(vcpus),
        pendingMb: Number(pendingMb),
        pendingGb: Number(pendingGb),
      },
    ]),
  );
}
export interface MachineTotals {
  readonly machines: number;
  readonly vcpus: number;
  readonly pendingMb: number;
  readonly pendingGb: number;
}

/** Returns the machines of a hypervisor after this number, with their services. */
export async function machinesOfNode(queries: Queries, node: string, after: number, limit: number) {
  return queries
    .selectFrom('machines')
    .innerJoin('services', 'services.id', 'machines.service_id')
    .select(['machines.vmid', 'machines.service_id', 'machines.account_id', 'machines.state', 'machines.member'])
    .select(['machines.power_state', 'machines.power_seen_at', 'machines.power_error'])
    .select(['machines.vcpus', 'machines.memory_mb', 'machines.disk_gb', 'services.hostname', 'services.status'])
    .where('machines.node', '=', node)
    .where('machines.vmid', '>', after)
    .orderBy('machines.vmid')
    .limit(limit)
    .execute();
}
