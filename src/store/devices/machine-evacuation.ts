// What an evacuation has to do: the machines that are still on the hypervisor, and how their migrations went.
import { rowsInBatches, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { WorkflowRecord } from '../work/workflows.ts';

/** Returns the machines of a hypervisor that exist and are not being deleted, the largest first. */
export async function machinesToEvacuate(queries: Queries, node: string, limit: number) {
  return selectWhere(queries, 'machines', { node, state: 'ready' })
    .innerJoin('services', 'services.id', 'machines.service_id')
    .selectAll('machines')
    .select(['services.hostname'])
    .where('machines.untidy', '<', 2)
    .orderBy('machines.memory_mb', 'desc')
    .orderBy('machines.service_id')
    .limit(limit)
    .execute();
}

/** Returns the last workflow of this name that each service has started since then. */
export async function lastWorkflows(
  queries: Queries,
  name: string,
  services: readonly number[],
  since: number,
): Promise<ReadonlyMap<number, WorkflowRecord>> {
  const rows = await rowsInBatches(services, (batch) =>
    selectWhere(queries, 'workflows', { name })
      .selectAll()
      .where('service_id', 'in', batch)
      .where('created_at', '>=', since)
      .orderBy('id'),
  );
  return new Map(rows.map((row) => [row.service_id!, row]));
}
