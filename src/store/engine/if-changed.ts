// Skips updates that would change nothing, so that applying the same site file at every start writes nothing.
import { sql, type RawBuilder } from 'kysely';

/** Returns the condition for `on conflict do update`: at least one column differs from the existing row. */
export function ifChanged(table: string, columns: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const differing = Object.keys(columns).map(
    (column) => sql`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`,
  );
  return sql<boolean>`(${sql.join(differing, sql` or `)})`;
}
