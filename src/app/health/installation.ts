// The state of the installation for the metrics: its backups and its equipment.
import { equipmentCounts, type EquipmentCount } from '#store/operator/equipment-counts.ts';
import { lastBackupEntry, metaFind } from '#store/meta.ts';
import type { App } from '../app.ts';

/** Returns 0 if there has never been a backup. */
export async function getLastBackupTime({ store }: App): Promise<number> {
  return Number((await metaFind(store.queries, lastBackupEntry)) ?? 0);
}

export async function getEquipmentCounts({ store }: App): Promise<EquipmentCount[]> {
  return equipmentCounts(store.queries);
}
