// The last known state of all equipment, for operators.
import { sql, type SqlBool } from 'kysely';
import { countRows, rowsInBatches, selectWhere } from '../engine/rows.ts';
import { isMisplaced } from '../migrations/0053-lists.ts';
import type { Queries } from '../store.ts';

export type EquipmentKind = 'server' | 'switch' | 'node';

/** The columns of each table with the error of the last check, and the time of the last one that succeeded. */
const kinds = {
  server: { table: 'servers', error: 'power_error', seen: 'power_seen_at' },
  switch: { table: 'switches', error: 'poll_error', seen: 'last_poll_at' },
  node: { table: 'nodes', error: 'error', seen: 'seen_at' },
} as const;

export interface EquipmentState {
  readonly name: string;
  /** The error of the last check; null if it succeeded. */
  readonly error: string | null;
  readonly seen_at: number | null;
  /** For servers. */
  readonly power: 'on' | 'off' | null;
}

export interface EquipmentSummary {
  readonly total: number;
  /** How many did not respond to the last check. */
  readonly silent: number;
  /** Some of those that did not respond, by name. */
  readonly examples: readonly EquipmentState[];
}

export async function equipmentSummary(
  queries: Queries,
  kind: EquipmentKind,
  maxExamples: number,
): Promise<EquipmentSummary> {
  // Counting everything without a condition, and the few removed ones by their index, needs no row.
  const table = queries.selectFrom(kinds[kind].table as 'servers');
  const silent = statesOf(queries, kind).where(sql.ref<string | null>(kinds[kind].error), 'is not', null);
  return {
    total: (await countRows(table)) - (await countRows(table.where('removed_at', 'is not', null))),
    silent: await countRows(silent.clearSelect()),
    examples: await silent.orderBy('name').limit(maxExamples).execute(),
  };
}

/** Returns the states of these devices. */
export async function equipmentStates(
  queries: Queries,
  kind: EquipmentKind,
  names: readonly string[],
): Promise<EquipmentState[]> {
  return rowsInBatches(names, (batch) => statesOf(queries, kind).where('name', 'in', batch));
}

function statesOf(queries: Queries, kind: EquipmentKind) {
  const { table, error, seen } = kinds[kind];
  return selectWhere(queries, table as 'servers', { removed_at: null }).select([
    'name',
    sql.ref<string | null>(error).as('error'),
    sql.ref<number | null>(seen).as('seen_at'),
    (kind === 'server' ? sql.ref<'on' | 'off' | null>('power_state') : sql<null>`null`).as('power'),
  ]);
}

/** Returns machines that do not exist yet, or are not on the hypervisor that the site file specifies. */
export async function machinesMisplaced(queries: Queries, limit: number) {
  return queries
    .selectFrom('machines')
    .select(['vmid', 'state', 'reason', 'detail', 'wanted_node', 'node'])
    .where(sql.raw<SqlBool>(isMisplaced))
    .orderBy('vmid')
    .limit(limit)
    .execute();
}
