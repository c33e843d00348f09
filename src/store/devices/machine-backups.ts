// Backups of machines, their schedules, and transfers of their content.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { affectsRows, countRows, deleteWhere, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { BackupTransferTable, MachineBackupPlanTable, MachineBackupTable } from './backup-tables.ts';

export type BackupPlan = Selectable<MachineBackupPlanTable>;
export type MachineBackup = Selectable<MachineBackupTable>;
export type BackupTransfer = Selectable<BackupTransferTable>;

export const backupReconciler = 'machine-backups';

export async function backupPlanFind(queries: Queries, service: number): Promise<BackupPlan | undefined> {
  return selectWhere(queries, 'machine_backup_plans', { service_id: service }).selectAll().executeTakeFirst();
}

/** Returns the plan of the service, which is this one if there was none. */
export async function backupPlanEnsure(
  queries: Queries,
  plan: Insertable<MachineBackupPlanTable>,
): Promise<BackupPlan> {
  await insertNew(queries, 'machine_backup_plans', plan, ['service_id']).execute();
  return (await backupPlanFind(queries, plan.service_id))!;
}

export async function backupPlanChange(
  queries: Queries,
  service: number,
  change: Updateable<MachineBackupPlanTable>,
): Promise<void> {
  await updateWhere(queries, 'machine_backup_plans', { service_id: service }).set(change).execute();
}

export async function backupPlanRemove(queries: Queries, service: number): Promise<void> {
  await deleteWhere(queries, 'machine_backup_plans', { service_id: service }).execute();
}

/** Returns plans whose next backup is due, with the status of their services. */
export async function backupPlansDue(queries: Queries, now: number, limit: number) {
  return queries
    .selectFrom('machine_backup_plans')
    .innerJoin('services', 'services.id', 'machine_backup_plans.service_id')
    .selectAll('machine_backup_plans')
    .select(['services.status', 'services.hostname'])
    .where('next_at', 'is not', null)
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

export async function backupPlansToPrune(queries: Queries, limit: number): Promise<BackupPlan[]> {
  return selectWhere(queries, 'machine_backup_plans', { needs_prune: 1 })
    .selectAll()
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

/** Returns plans of services whose machine was removed for good. */
export async function backupPlansOfRemovedMachines(queries: Queries, limit: number): Promise<BackupPlan[]> {
  return queries
    .selectFrom('machine_backup_plans')
    .innerJoin('services', 'services.id', 'machine_backup_plans.service_id')
    .selectAll('machine_backup_plans')
    .where('services.status', '=', 'Terminated')
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('machines')
            .select('machines.service_id')
            .whereRef('machines.service_id', '=', 'machine_backup_plans.service_id'),
        ),
      ),
    )
    .orderBy('machine_backup_plans.service_id')
    .limit(limit)
    .execute();
}

/** Returns plans whose last backup failed, the worst first. */
export async function backupPlansFailing(queries: Queries, limit: number): Promise<BackupPlan[]> {
  return queries
    .selectFrom('machine_backup_plans')
    .selectAll()
    .where('failures', '>', 0)
    .orderBy('failures', 'desc')
    .limit(limit)
    .execute();
}

export async function machineBackupInsert(queries: Queries, backup: Insertable<MachineBackupTable>): Promise<void> {
  await queries.insertInto('machine_backups').values(backup).execute();
}

/** Returns the backups of a machine that are not being removed, the newest first. */
export async function machineBackupList(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<MachineBackup[]> {
  return selectWhere(queries, 'machine_backups', { account_id: account, service_id: service })
    .selectAll()
    .where('state', '!=', 'removing')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Returns a backup that can be restored. */
export async function machineBackupFind(
  queries: Queries,
  account: AccountId,
  service: number,
  id: string,
): Promise<MachineBackup | undefined> {
  return selectWhere(queries, 'machine_backups', { id, account_id: account, service_id: service, state: 'stored' })
    .selectAll()
    .executeTakeFirst();
}

export async function machineBackupLoad(queries: Queries, id: string): Promise<MachineBackup | undefined> {
  return selectWhere(queries, 'machine_backups', { id }).selectAll().executeTakeFirst();
}

export async function machineBackupChange(
  queries: Queries,
  id: string,
  change: Updateable<MachineBackupTable>,
): Promise<void> {
  await updateWhere(queries, 'machine_backups', { id }).set(change).execute();
}

/** Marks backups of a machine for removal, and its repository for pruning. */
export async function machineBackupsDiscard(queries: Queries, service: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await updateWhere(queries, 'machine_backups', { service_id: service })
    .set({ state: 'removing' })
    .where('id', 'in', ids)
    .execute();
  await backupPlanChange(queries, service, { needs_prune: 1 });
}

export async function machineBackupsOfState(
  queries: Queries,
  service: number,
  state: MachineBackup['state'],
): Promise<MachineBackup[]> {
  return selectWhere(queries, 'machine_backups', { service_id: service, state })
    .selectAll()
    .orderBy('created_at', 'desc')
    .execute();
}

export async function machineBackupsDelete(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await queries.deleteFrom('machine_backups').where('id', 'in', ids).execute();
}

export async function machineBackupsCount(queries: Queries, service: number): Promise<number> {
  return countRows(selectWhere(queries, 'machine_backups', { service_id: service, state: 'stored' }));
}

/** Returns the stored backup at this position of all. */
export async function machineBackupAt(queries: Queries, position: number): Promise<MachineBackup | undefined> {
  return selectWhere(queries, 'machine_backups', { state: 'stored' })
    .selectAll()
    .orderBy('id')
    .offset(position)
    .limit(1)
    .executeTakeFirst();
}

export async function storedBackupsCount(queries: Queries): Promise<number> {
  return countRows(selectWhere(queries, 'machine_backups', { state: 'stored' }));
}

export async function backupTransferFind(queries: Queries, id: string): Promise<BackupTransfer | undefined> {
  return selectWhere(queries, 'backup_transfers', { id }).selectAll().executeTakeFirst();
}

type NewTransferColumn = Exclude<keyof BackupTransferTable, 'state' | 'code' | 'detail'>;

/** Returns false if the transfer exists already. */
export async function backupTransferInsert(
  queries: Queries,
  transfer: Pick<Insertable<BackupTransferTable>, NewTransferColumn>,
): Promise<boolean> {
  const row = { ...transfer, state: 'waiting', code: '', detail: '' } as const;
  return affectsRows(insertNew(queries, 'backup_transfers', row, ['id']).returning('id'));
}

/** Returns false if the transfer was cancelled, or has ended. */
export async function backupTransferStart(queries: Queries, id: string): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'backup_transfers', { id })
      .set({ state: 'running' })
      .where('state', 'in', ['waiting', 'running'])
      .returning('id'),
  );
}

/** Returns false if the transfer was cancelled. */
export async function backupTransferChange(
  queries: Queries,
  id: string,
  change: Pick<Updateable<BackupTransferTable>, 'state' | 'code' | 'detail'>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'backup_transfers', { id, state: 'running' }).set(change).returning('id'));
}

/** Returns false while a job still moves the content. */
export async function backupTransferCancel(queries: Queries, id: string): Promise<boolean> {
  await updateWhere(queries, 'backup_transfers', { id, state: 'waiting' }).set({ state: 'cancelled' }).execute();
  await updateWhere(queries, 'backup_transfers', { id, state: 'running' }).set({ state: 'cancelling' }).execute();
  return (await backupTransferFind(queries, id))?.state !== 'cancelling';
}

/** The job has stopped. */
export async function backupTransferAcknowledge(queries: Queries, id: string): Promise<void> {
  await updateWhere(queries, 'backup_transfers', { id, state: 'cancelling' }).set({ state: 'cancelled' }).execute();
}

export async function backupTransferRemove(queries: Queries, id: string): Promise<void> {
  await deleteWhere(queries, 'backup_transfers', { id }).execute();
}

/** Returns what all repositories store. */
export async function backupBytesTotal(queries: Queries): Promise<number> {
  const { bytes } = await queries
    .selectFrom('machine_backup_plans')
    .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}
