// Counts the equipment that responded when it was last checked, and the servers in each state.
import { sql } from 'kysely';
import type { ServerState } from '#contract/states/servers.ts';
import type { Queries } from '../store.ts';

export interface EquipmentCount {
  readonly kind: 'controller' | 'switch' | 'node';
  readonly answering: number;
  readonly silent: number;
}

/** The column of each table with the error of its last check. */
const kinds = [
  { kind: 'controller', table: 'servers', column: 'power_error' },
  { kind: 'switch', table: 'switches', column: 'poll_error' },
  { kind: 'node', table: 'nodes', column: 'error' },
] as const;

export async function equipmentCounts(queries: Queries): Promise<EquipmentCount[]> {
  const counts: EquipmentCount[] = [];
  for (const { kind, table, column } of kinds) {
    const { rows } = await sql<{ all: number; silent: number }>`
      select count(*) as "all", count(${sql.ref(column)}) as silent from ${sql.table(table)} where removed_at is null
    `.execute(queries);
    const { all, silent } = rows[0]!;
    counts.push({ kind, answering: Number(all) - Number(silent), silent: Number(silent) });
  }
  return counts;
}

export async function serverStateCounts(queries: Queries): Promise<Map<ServerState, number>> {
  const rows = await queries
    .selectFrom('servers')
    .select(['state', (row) => row.fn.countAll().as('count')])
    .where('removed_at', 'is', null)
    .groupBy('state')
    .execute();
  return new Map(rows.map(({ state, count }) => [state, Number(count)]));
}
