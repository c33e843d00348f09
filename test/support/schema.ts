// The schema of a database as the engine describes it, to compare two databases.
import { sql } from 'kysely';
import type { Store } from '#store/store.ts';

/** Descriptions of tables, indexes, constraints and triggers, sorted. */
export async function readSchema({ engine, queries }: Store): Promise<string[]> {
  const { rows } =
    engine === 'sqlite'
      ? await sql<{ text: string }>`
select type || ' ' || name || ': ' || coalesce(sql, '') as text from sqlite_schema
where name not like 'sqlite_sequence'`.execute(queries)
      : await sql<{ text: string }>`
select format('%s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default, collation_name) as text
  from information_schema.columns where table_schema = current_schema()
union all select indexdef from pg_indexes where schemaname = current_schema()
union all select format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
  where connamespace = current_schema()::regnamespace
union all select format('%s %s', tgenabled, pg_get_triggerdef(oid)) from pg_trigger
  where not tgisinternal and tgrelid::regclass::text not like 'pgboss.%'`.execute(queries);
  return rows.map(({ text }) => text).toSorted();
}
