// Digests of all tables, to prove that calls changed nothing. The audit log, which records rejections too, and the time of
// a key's last use are left out.
import { createHash } from 'node:crypto';
import type { Store } from '#store/store.ts';

export type TableDigests = ReadonlyMap<string, string>;
type Row = Record<string, unknown>;

const excludedColumns = new Set(['last_used_at', 'last_used_address', 'last_login_host', 'previous_login_host']);

/** Kysely reads the columns of every table for this. */
const tablesOf = new WeakMap<Store, ReturnType<typeof readTables>>();
const readTables = ({ queries }: Store) => queries.introspection.getTables();

export async function digestTables(
  { store }: { readonly store: Store },
  isIncluded: (row: Row) => boolean = () => true,
): Promise<TableDigests> {
  const { queries } = store;
  const tables = tablesOf.get(store) ?? readTables(store);
  tablesOf.set(store, tables);
  const digests = new Map<string, string>();
  for (const { name, schema } of await tables) {
    // On PostgreSQL the queue has a separate schema, which changes all the time except for the jobs themselves.
    if (name.startsWith('audit') || (schema !== undefined && schema !== 'public' && name !== 'job')) continue;
    const qualified = schema === undefined ? queries : queries.withSchema(schema);
    const rows = await qualified
      .selectFrom(name as 'keys')
      .selectAll()
      .execute();
    digests.set(name, digestRows((rows as unknown as Row[]).filter(isIncluded)));
  }
  return digests;
}

function digestRows(rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    JSON.stringify(Object.entries(row).filter(([column]) => !excludedColumns.has(column))),
  );
  // PostgreSQL returns updated rows in another order.
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

export function changedTables(before: TableDigests, after: TableDigests): string[] {
  return [...after].flatMap(([table, digest]) => (before.get(table) === digest ? [] : [table]));
}
