// The state of the installation for the metrics: its backups and its equipment.
import type { ServerState } from '#contract/states/servers.ts';
import { equipmentCounts, serverStateCounts, type EquipmentCount } from '#store/operator/equipment-counts.ts';
import { lastBackupEntry, metaFind } from '#store/meta.ts';
import { reloadsContested } from '#store/devices/reloads.ts';
import type { App } from '../app.ts';

const contestedMs = 60 * 60_000;

/** Returns 0 if there has never been a backup. */
export async function getLastBackupTime({ store }: App): Promise<number> {
  return Number((await metaFind(store.queries, lastBackupEntry)) ?? 0);
}

export async function getEquipmentCounts({ store }: App): Promise<EquipmentCount[]> {
  return equipmentCounts(store.queries);
}

export async function getContestedBootCount({ store, clock }: App): Promise<number> {
  return reloadsContested(store.queries, clock.now() - contestedMs);
}

export async function getServerStateCounts({ store }: App): Promise<ReadonlyMap<ServerState, number>> {
  return serverStateCounts(store.queries);
}
