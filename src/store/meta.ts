// A few facts about the installation itself.
import { prepared } from './engine/prepared.ts';
import type { Queries } from './store.ts';

/** Under which the fingerprint of the sealing key stands. */
export const sealingKeyMeta = 'sealing key';
/** Under which the moment stands, in milliseconds since 1970, at which a backup was last taken. */
export const lastBackupMeta = 'last backup';

/** Writes the value if there is none yet, and answers the one that stands. */
export async function metaSettle(queries: Queries, name: string, value: string): Promise<string> {
  await queries
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await queries.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
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
