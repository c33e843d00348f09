// Single values about the installation, stored by name.
import type { Static, TSchema } from 'typebox';
import { prepared } from './engine/prepared.ts';
import { jsonColumn, type DeepReadonly } from './json-column.ts';
import { insertNew } from './engine/rows.ts';
import type { Queries } from './store.ts';

/** The fingerprint of the sealing key. */
export const sealingKeyEntry = 'sealing key';
/** When the last backup was made, in milliseconds since 1970. */
export const lastBackupEntry = 'last backup';

/** Writes the value if there is none yet, and returns the stored one. */
export async function metaInsertOnce(queries: Queries, name: string, value: string): Promise<string> {
  await insertNew(queries, 'meta', { name, value }, ['name']).execute();
  return (await metaFind(queries, name))!;
}

const byName = prepared((queries: Queries, values: { name: string }) =>
  queries.selectFrom('meta').select('value').where('name', '=', values.name),
);
export async function metaFind(queries: Queries, name: string): Promise<string | undefined> {
  return (await byName(queries, { name }))[0]?.value;
}

export async function metaPut(queries: Queries, name: string, value: string): Promise<void> {
  await queries
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }).where('meta.value', '!=', value))
    .execute();
}

export async function metaRemove(queries: Queries, name: string): Promise<void> {
  await queries.deleteFrom('meta').where('name', '=', name).execute();
}

export interface MetaEntry<T> {
  /** For a statement that reads the value together with something else. */
  readonly name: string;
  decode(text: string): T;
  find(queries: Queries): Promise<T | undefined>;
  put(queries: Queries, value: DeepReadonly<T>): Promise<void>;
  remove(queries: Queries): Promise<void>;
}

/** Returns the entry of this name, whose value is stored as JSON. */
export function metaEntry<S extends TSchema>(name: string, schema: S): MetaEntry<Static<S>> {
  const column = jsonColumn(`meta entry "${name}"`, schema);
  return {
    name,
    decode: column.decode,
    async find(queries) {
      const text = await metaFind(queries, name);
      return text === undefined ? undefined : column.decode(text);
    },
    put: (queries, value) => metaPut(queries, name, column.encode(value)),
    remove: (queries) => metaRemove(queries, name),
  };
}
