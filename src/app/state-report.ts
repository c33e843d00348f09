// How the installation stands, for the metrics: its backups and its equipment.
import { equipmentCounts, type EquipmentCount } from '#store/operator/equipment-counts.ts';
import { lastBackupMeta, metaFind } from '#store/meta.ts';
import type { Yard } from './yard.ts';

/** 0 where none was ever taken. */
export async function lastBackupAt({ store }: Yard): Promise<number> {
  return Number((await metaFind(store.queries, lastBackupMeta)) ?? 0);
}

export async function equipmentReport({ store }: Yard): Promise<EquipmentCount[]> {
  return equipmentCounts(store.queries);
}
