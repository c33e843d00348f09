// The volumes in backups of machines, and which backups are being restored.
import type { Selectable, Updateable } from 'kysely';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { MachineBackupVolumeTable } from './backup-tables.ts';
import { machineBackupChange, machineBackupsDiscard } from './machine-backups.ts';

export type BackupVolume = Selectable<MachineBackupVolumeTable>;

export async function backupVolumesInsert(
  queries: Queries,
  volumes: readonly Pick<BackupVolume, 'backup_id' | 'volume_id' | 'account_id' | 'name' | 'size_gb'>[],
): Promise<void> {
  const empty = { snapshot: null, digest: null, size_bytes: 0 };
  if (volumes.length > 0)
    await queries
      .insertInto('machine_backup_volumes')
      .values(volumes.map((volume) => ({ ...volume, ...empty })))
      .execute();
}

/** Returns the volumes of these backups, in order. */
export async function backupVolumesOf(queries: Queries, backups: readonly string[]): Promise<BackupVolume[]> {
  if (backups.length === 0) return [];
  return queries
    .selectFrom('machine_backup_volumes')
    .selectAll()
    .where('backup_id', 'in', backups)
    .orderBy('backup_id')
    .orderBy('volume_id')
    .execute();
}

export async function backupVolumeChange(
  queries: Queries,
  { backup_id, volume_id }: Pick<BackupVolume, 'backup_id' | 'volume_id'>,
  change: Updateable<MachineBackupVolumeTable>,
): Promise<void> {
  await updateWhere(queries, 'machine_backup_volumes', { backup_id, volume_id }).set(change).execute();
}

/** Marks backups of a machine for removal, except those that must stay. Returns those. */
export async function backupsDiscardUnused(
  queries: Queries,
  service: number,
  ids: readonly string[],
): Promise<readonly string[]> {
  await machineBackupsDiscard(queries, service, ids);
  // Only now: whoever restores one has locked its row before.
  const inUse = await backupsInUse(queries, service);
  const kept = ids.filter((id) => inUse.has(id));
  for (const id of kept) await machineBackupChange(queries, id, { state: 'stored' });
  return kept;
}

/** Locks a backup that something will be restored from. Returns false if it is gone. */
export async function machineBackupClaim(queries: Queries, id: string): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'machine_backups', { id, state: 'stored' }).set({ state: 'stored' }).returning('id'),
  );
}

/** Returns those backups of a service that must stay: something is being restored from them, or a machine will be. */
async function backupsInUse(queries: Queries, service: number): Promise<ReadonlySet<string>> {
  const moving = await selectWhere(queries, 'backup_transfers', { service_id: service }).select('backup_id').execute();
  const ordered = await queries
    .selectFrom('machines')
    .innerJoin('machine_backups', 'machine_backups.id', 'machines.from_backup')
    .select('machine_backups.id')
    .where('machine_backups.service_id', '=', service)
    .where('machines.from_backup', 'is not', null)
    .execute();
  return new Set([...moving.map(({ backup_id }) => backup_id), ...ordered.map(({ id }) => id)]);
}
