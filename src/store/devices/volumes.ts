// Volumes of accounts. Every change names the state that it starts from, so that of two concurrent changes only one succeeds.
import { sql, type Insertable, type Selectable } from 'kysely';
import { dayOf } from '#lib/time.ts';
import { affectsRows, countRows, deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import { usagePut } from '../pricing/usage.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { VolumeTable } from './machine-order-tables.ts';

export type Volume = Selectable<VolumeTable>;

/** As in the unique index: databases compare the text. */
const isNamed = sql<boolean>`state <> 'Deleting'`;

/** Thousandths of a gigabyte, the unit of metered quantities. */
const usagePerGb = 1000;

/** Returns the volume's id on its hypervisor. */
export function volumeName(id: number): string {
  return `vol-${id}`;
}

export async function volumeList(queries: Queries, account: AccountId): Promise<Volume[]> {
  return selectWhere(queries, 'volumes', { account_id: account }).selectAll().orderBy('id').execute();
}

export async function volumeFind(queries: Queries, account: AccountId, id: number): Promise<Volume | undefined> {
  return selectWhere(queries, 'volumes', { account_id: account, id }).selectAll().executeTakeFirst();
}

/** Returns how many volumes a machine has, including one that is being attached. */
export async function volumesAttachedCount(queries: Queries, service: number): Promise<number> {
  return countRows(
    selectWhere(queries, 'volumes', { service_id: service }).where((where) =>
      where.or([where('is_attached', '=', 1), where('state', 'in', ['Creating', 'Changing'])]),
    ),
  );
}

/** Returns the volumes that are attached to a machine. */
export async function volumesAttached(queries: Queries, service: number): Promise<Volume[]> {
  return selectWhere(queries, 'volumes', { service_id: service, is_attached: 1 }).selectAll().orderBy('id').execute();
}

/** Returns undefined if the account has a volume of this name already. */
export async function volumeInsert(queries: Queries, volume: Insertable<VolumeTable>): Promise<Volume | undefined> {
  return queries
    .insertInto('volumes')
    .values(volume)
    .onConflict((conflict) => conflict.columns(['account_id', 'name']).where(isNamed).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Claims a volume for one change. Returns false if it is no longer ready, or not attached or as large as expected. */
export async function volumeClaim(
  queries: Queries,
  { id, account_id, is_attached, size_gb }: Pick<Volume, 'id' | 'account_id' | 'is_attached' | 'size_gb'>,
  change: Partial<Pick<Volume, 'service_id' | 'grows_to_gb'>> & { readonly state: 'Changing' | 'Deleting' },
): Promise<boolean> {
  const ready = updateWhere(queries, 'volumes', { account_id, id, is_attached, size_gb, state: 'Ready' });
  return affectsRows(ready.set(change).returning('id'));
}

/** Ends the change that claimed the volume. */
export async function volumeSettle(
  queries: Queries,
  id: number,
  change: Partial<Pick<Volume, 'service_id' | 'size_gb' | 'is_attached'>>,
): Promise<void> {
  await queries
    .updateTable('volumes')
    .set({ ...change, state: 'Ready', grows_to_gb: null })
    .where('id', '=', id)
    .where('state', 'in', ['Creating', 'Changing'])
    .execute();
}

export async function volumeRemove(queries: Queries, id: number): Promise<void> {
  await deleteWhere(queries, 'volumes', { id }).execute();
}

/** Detaches the volumes of a machine that was removed from its hypervisor. */
export async function volumesReleaseOf(queries: Queries, service: number): Promise<void> {
  await updateWhere(queries, 'volumes', { service_id: service }).set({ is_attached: 0 }).execute();
}

/** Leaves out volumes of which a backup is being made: it reads a copy that the hypervisor removes with the volume. */
export async function volumesToDelete(queries: Queries): Promise<Volume[]> {
  return queries
    .selectFrom('volumes')
    .selectAll()
    .where(sql<boolean>`state = 'Deleting'`)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('machine_backup_volumes')
            .innerJoin('machine_backups', 'machine_backups.id', 'machine_backup_volumes.backup_id')
            .select('machine_backups.id')
            .whereRef('machine_backup_volumes.account_id', '=', 'volumes.account_id')
            .whereRef('machine_backup_volumes.volume_id', '=', 'volumes.id')
            .where('machine_backups.state', '=', 'creating'),
        ),
      ),
    )
    .orderBy('id')
    .execute();
}

/**
 * Meters the volumes of a machine from today on, attached or not. The caller locks the account for billing before it changes a volume:
 * otherwise the later of two changes at the same time would not see the earlier one, and meter what is gone.
 */
export async function volumeUsagePut(
  queries: Queries,
  account: AccountId,
  service: number,
  now: number,
): Promise<void> {
  const { total } = await selectWhere(queries, 'volumes', { service_id: service })
    .select((select) => select.fn.sum<number | string | null>('size_gb').as('total'))
    .where('state', 'in', ['Ready', 'Changing'])
    .executeTakeFirstOrThrow();
  const quantity = Number(total ?? 0) * usagePerGb;
  await usagePut(queries, { account_id: account, service_id: service, item: 'volumes', day: dayOf(now), quantity });
}

/** The volumes of a machine that migrates move with it. */
export async function volumesMove(queries: Queries, service: number, from: string, to: string): Promise<void> {
  await updateWhere(queries, 'volumes', { service_id: service, node: from, is_attached: 1 })
    .set({ node: to })
    .execute();
}

/**
 * Returns the names of a machine's volumes that this hypervisor should not have, also of those that were detached after they moved
 * with the machine.
 */
export async function volumesElsewhere(queries: Queries, service: number, node: string): Promise<readonly string[]> {
  const rows = await selectWhere(queries, 'volumes', { service_id: service })
    .select('id')
    .where('node', '!=', node)
    .execute();
  return rows.map(({ id }) => volumeName(id));
}
