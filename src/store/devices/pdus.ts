// Power strips (PDUs): how to connect to them.
import type { Selectable } from 'kysely';
import { selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { PduTable } from './tables.ts';

export type PduRow = Selectable<PduTable>;

export async function pduFind(queries: Queries, name: string): Promise<PduRow | undefined> {
  return selectWhere(queries, 'pdus', { name, removed_at: null }).selectAll().executeTakeFirst();
}

export async function pduList(queries: Queries): Promise<PduRow[]> {
  return selectWhere(queries, 'pdus', { removed_at: null }).selectAll().orderBy('name').execute();
}

export async function pduPut(queries: Queries, pdu: Pick<PduRow, 'name' | 'driver' | 'settings'>): Promise<void> {
  const { name, ...changing } = pdu;
  await queries
    .insertInto('pdus')
    .values({ name, ...changing, revision: 0, removed_at: null })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((set) => ({ ...changing, revision: set('pdus.revision', '+', 1), removed_at: null })),
    )
    .execute();
}

/** Removes the power strip and deletes its secrets. */
export async function pduRemove(queries: Queries, name: string, now: number, noSettings: string): Promise<void> {
  await updateWhere(queries, 'pdus', { name })
    .set((set) => ({ settings: noSettings, revision: set('revision', '+', 1), removed_at: now }))
    .execute();
}
