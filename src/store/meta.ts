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
