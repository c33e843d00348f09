// Snapshots of virtual machines: copies of their disk on the hypervisor.
import { sql, type Insertable, type Selectable } from 'kysely';
import { affectsRows, countRows, deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { CopyState, MachineSnapshotTable } from './machine-snapshot-tables.ts';

export type MachineSnapshot = Selectable<MachineSnapshotTable>;

/** A literal, so that databases find its index. */
const isDeleting = sql<boolean>`machine_snapshots.state = 'deleting'`;

/** Returns the snapshot's name on the hypervisor. */
export function snapshotName(id: number): string {
  return `snap-${id}`;
}

export async function machineSnapshotList(queries: Queries, service: number): Promise<MachineSnapshot[]> {
  return selectWhere(queries, 'machine_snapshots', { service_id: service }).selectAll().orderBy('id').execute();
}

export async function machineSnapshotFind(
  queries: Queries,
  account: AccountId,
  id: number,
): Promise<MachineSnapshot | undefined> {
  return selectWhere(queries, 'machine_snapshots', { account_id: account, id }).selectAll().executeTakeFirst();
}

export async function machineSnapshotInsert(
  queries: Queries,
  snapshot: Omit<Insertable<MachineSnapshotTable>, 'state' | 'size_bytes' | 'is_consistent'>,
): Promise<MachineSnapshot> {
  return queries
    .insertInto('machine_snapshots')
    .values({ ...snapshot, state: 'creating', size_bytes: null, is_consistent: null })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function machineSnapshotChange(
  queries: Queries,
  id: number,
  change: Partial<Pick<MachineSnapshot, 'state' | 'reason' | 'size_bytes' | 'is_consistent'>>,
): Promise<void> {
  await updateWhere(queries, 'machine_snapshots', { id }).set(change).execute();
}

/** Returns false if it is not in this state any more. */
export async function machineSnapshotMove(
  queries: Queries,
  id: number,
  { from, to }: { readonly from: CopyState; readonly to: CopyState },
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'machine_snapshots', { id, state: from }).set({ state: to }).returning('id'));
}

/** Those that count towards the quota of the machine. */
export async function machineSnapshotCount(queries: Queries, service: number): Promise<number> {
  return countRows(selectWhere(queries, 'machine_snapshots', { service_id: service }).where('state', '!=', 'failed'));
}

/** Failed snapshots do not exist on the hypervisor. */
export async function machineSnapshotsRemoveFailed(queries: Queries, service: number): Promise<void> {
  await deleteWhere(queries, 'machine_snapshots', { service_id: service, state: 'failed' }).execute();
}

export async function machineSnapshotRemove(queries: Queries, id: number): Promise<void> {
  await deleteWhere(queries, 'machine_snapshots', { id }).execute();
}

export async function machineSnapshotsRemoveOf(queries: Queries, service: number): Promise<void> {
  await deleteWhere(queries, 'machine_snapshots', { service_id: service }).execute();
}

/** Returns snapshots that are to be removed, those first that have waited longest. A machine that is to be deleted takes its own along. */
export async function machineSnapshotsToDelete(queries: Queries) {
  return queries
    .selectFrom('machine_snapshots')
    .innerJoin('machines', 'machines.service_id', 'machine_snapshots.service_id')
    .select(['machine_snapshots.id', 'machine_snapshots.account_id', 'machine_snapshots.service_id'])
    .select(['machines.vmid', 'machines.node'])
    .$narrowType<{ node: string }>()
    .where(isDeleting)
    .where('machines.node', 'is not', null)
    .where('machines.untidy', '<', 2)
    .orderBy('machine_snapshots.id')
    .execute();
}

/** Returns the bytes that the snapshots of a machine occupy. */
export async function machineSnapshotBytes(queries: Queries, service: number): Promise<number> {
  const { bytes } = await selectWhere(queries, 'machine_snapshots', { service_id: service, state: 'ready' })
    .select(({ fn }) => fn.sum('size_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}
