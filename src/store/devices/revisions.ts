// Makes all instances open new connections to devices, as if their settings had changed.
import { batches } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

export async function reopenDevices(
  queries: Queries,
  table: 'servers' | 'switches' | 'pdus',
  names: readonly string[],
): Promise<void> {
  for (const batch of batches(names)) {
    if (table === 'servers')
      await queries
        .updateTable(table)
        .set((set) => ({ bmc_revision: set('bmc_revision', '+', 1) }))
        .where('name', 'in', batch)
        .execute();
    else
      await queries
        .updateTable(table)
        .set((set) => ({ revision: set('revision', '+', 1) }))
        .where('name', 'in', batch)
        .execute();
  }
}
