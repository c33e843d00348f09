// A few facts about the installation itself.
import type { Queries } from './store.ts';

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

export async function metaFind(queries: Queries, name: string): Promise<string | undefined> {
  const row = await queries.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

export async function metaPut(queries: Queries, name: string, value: string): Promise<void> {
  await queries
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
