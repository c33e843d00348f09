// Which equipment responded when it was last checked, and how many servers are in each state.
import { sql } from 'kysely';
import type { ServerState } from '#contract/states/servers.ts';
import type { Queries } from '../store.ts';

export interface EquipmentCount {
  readonly kind: 'controller' | 'switch' | 'hypervisor';
  readonly answering: number;
  readonly silent: number;
  /** Not checked yet. */
  readonly unknown: number;
}

/** The columns of each table with the error of the last check, and the time of the last one that succeeded. */
const kinds = [
  { kind: 'controller', table: 'servers', error: 'power_error', seen: 'power_seen_at' },
  { kind: 'switch', table: 'switches', error: 'poll_error', seen: 'last_poll_at' },
  { kind: 'hypervisor', table: 'nodes', error: 'error', seen: 'seen_at' },
] as const;

export async function equipmentCounts(queries: Queries): Promise<EquipmentCount[]> {
  const counts: EquipmentCount[] = [];
  for (const { kind, table, error, seen } of kinds) {
    const { rows } = await sql<{ all: number; silent: number; checked: number }>`
      select count(*) as "all", count(${sql.ref(error)}) as silent,
        count(coalesce(${sql.ref(error)}, cast(${sql.ref(seen)} as text))) as checked
      from ${sql.table(table)} where removed_at is null
    `.execute(queries);
    const [all, silent, checked] = [rows[0]!.all, rows[0]!.silent, rows[0]!.checked].map(Number) as [
      number,
      number,
      number,
    ];
    counts.push({ kind, answering: checked - silent, silent, unknown: all - checked });
  }
  return counts;
}

export interface EquipmentResponse {
  readonly kind: 'switch' | 'hypervisor';
  readonly name: string;
  readonly isUp: boolean;
}

/** Returns each switch and hypervisor that was checked. There are too many BMCs to report each. */
export async function equipmentResponses(queries: Queries): Promise<EquipmentResponse[]> {
  const responses: EquipmentResponse[] = [];
  for (const { kind, table, error, seen } of kinds) {
    if (kind === 'controller') continue;
    const { rows } = await sql<{ name: string; error: string | null }>`
      select name, ${sql.ref(error)} as error from ${sql.table(table)}
      where removed_at is null and (${sql.ref(error)} is not null or ${sql.ref(seen)} is not null) order by name
    `.execute(queries);
    responses.push(...rows.map((row) => ({ kind, name: row.name, isUp: row.error === null })));
  }
  return responses;
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
