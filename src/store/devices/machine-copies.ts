// Copies of machines on hypervisors that are not theirs: the one that a running migration makes, and the ones to be removed
// after a migration. A machine belongs to the hypervisor in its own row, whatever copies there are.
import type { Insertable, Selectable } from 'kysely';
import { deleteWhere, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { MachineCopyTable } from './machine-tables.ts';

export type MachineCopy = Selectable<MachineCopyTable>;

/** Records a copy, or that one which is left there is used again. */
export async function machineCopyPut(queries: Queries, copy: Insertable<MachineCopyTable>): Promise<void> {
  const begun = { copied_bytes: 0, total_bytes: 0, is_obsolete: 0 };
  await putRow(queries, 'machine_copies', ['node', 'service_id'], { ...begun, ...copy });
}

export async function machineCopyFind(queries: Queries, workflow: string): Promise<MachineCopy | undefined> {
  return selectWhere(queries, 'machine_copies', { workflow_id: workflow, is_obsolete: 0 })
    .selectAll()
    .executeTakeFirst();
}

/** Returns the copies of a machine, with the one that is being made. */
export async function machineCopiesOf(queries: Queries, service: number): Promise<MachineCopy[]> {
  return selectWhere(queries, 'machine_copies', { service_id: service }).selectAll().execute();
}

export async function machineCopyChange(
  queries: Queries,
  { node, service_id }: Pick<MachineCopy, 'node' | 'service_id'>,
  change: Partial<Pick<MachineCopy, 'mode' | 'copied_bytes' | 'total_bytes' | 'progress_at' | 'is_obsolete'>>,
): Promise<void> {
  await updateWhere(queries, 'machine_copies', { node, service_id }).set(change).execute();
}

export async function machineCopyRemove(
  queries: Queries,
  { node, service_id }: Pick<MachineCopy, 'node' | 'service_id'>,
): Promise<void> {
  await deleteWhere(queries, 'machine_copies', { node, service_id }).execute();
}

export async function machineCopiesObsolete(queries: Queries): Promise<MachineCopy[]> {
  return selectWhere(queries, 'machine_copies', { is_obsolete: 1 }).selectAll().orderBy('service_id').execute();
}

/** Returns the copies that are being made. */
export async function machineCopiesRunning(queries: Queries): Promise<MachineCopy[]> {
  return selectWhere(queries, 'machine_copies', { is_obsolete: 0 }).selectAll().orderBy('created_at').execute();
}

/** Returns what running migrations other than this machine's have reserved. */
export async function machineCopiesReserved(queries: Queries, except: number) {
  return selectWhere(queries, 'machine_copies', { is_obsolete: 0 })
    .select(['node', 'memory_mb', 'disk_gb'])
    .where('service_id', '!=', except)
    .execute();
}
