// Virtual machines that were on a hypervisor before Hostyard, and have another name there.
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { machineName } from './machines.ts';

/** Returns the names of a hypervisor's adopted machines in Hostyard, by their names on it. */
export async function adoptedNames(queries: Queries, node: string): Promise<ReadonlyMap<string, string>> {
  const rows = await selectWhere(queries, 'machines', { node })
    .select(['vmid', 'hypervisor_name'])
    .where('hypervisor_name', 'is not', null)
    .execute();
  return new Map(rows.map(({ vmid, hypervisor_name }) => [hypervisor_name!, machineName(vmid)]));
}

/** Returns the name of an adopted machine, and whether another one has the name of this one. */
export async function hypervisorNameOf(
  queries: Queries,
  node: string,
  machine: string,
): Promise<{ readonly own: string | null; readonly isTaken: boolean }> {
  const rows = await queries
    .selectFrom('machines')
    .select(['vmid', 'hypervisor_name'])
    .where((where) => where.or([where('vmid', '=', vmidOf(machine)), where.and({ node, hypervisor_name: machine })]))
    .execute();
  const own = rows.find(({ vmid }) => machineName(vmid) === machine)?.hypervisor_name ?? null;
  return { own, isTaken: rows.some(({ vmid }) => machineName(vmid) !== machine) };
}

/** Returns the number in a machine's name, or -1 if it is none of Hostyard's. */
function vmidOf(machine: string): number {
  const vmid = Number(/^vm-(\d{1,15})$/.exec(machine)?.[1] ?? -1);
  return machineName(vmid) === machine ? vmid : -1;
}

/** Returns the machines that Hostyard has, or is creating, on a hypervisor. */
export async function machinesOnHypervisor(queries: Queries, node: string) {
  return selectWhere(queries, 'machines', { node }).select(['vmid', 'hypervisor_name', 'service_id']).execute();
}

/** Returns false if the machine already is filtered, or not. */
export async function machineFilteringSet(queries: Queries, service: number, unfiltered: 0 | 1): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'machines', { service_id: service })
      .set({ unfiltered })
      .where('unfiltered', '!=', unfiltered)
      .returning('service_id'),
  );
}
