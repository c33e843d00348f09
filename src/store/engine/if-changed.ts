// For rows that are made so again and again: an update that would change nothing is not written. A site file that is applied
// at every start leaves no trace where it says what is there already.
import { sql, type RawBuilder } from 'kysely';

/** The condition of `on conflict do update`: one of the columns has another value than the row that is there. */
export function ifChanged(table: string, columns: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const differing = Object.keys(columns).map(
    (column) => sql`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`,
  );
  return sql<boolean>`(${sql.join(differing, sql` or `)})`;
}
