// Append-only tables: the database itself rejects updates and deletes.
import type { Engine } from '../store.ts';

/** `changing` can limit the protection to some columns, as `update of a, b`; rows can never be deleted. */
export function appendOnly(table: string, engine: Engine, changing = 'update'): string[] {
  if (engine === 'sqlite') {
    return [
      ['update', changing],
      ['delete', 'delete'],
    ].map(
      ([name, act]) =>
        `create trigger ${table}_keeps_from_${name} before ${act} on ${table} begin select raise(abort, '${table} is append-only'); end`,
    );
  }
  return [
    `create function ${table}_refuse() returns trigger language plpgsql as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_keeps before ${changing} or delete on ${table} for each row execute function ${table}_refuse()`,
  ];
}
