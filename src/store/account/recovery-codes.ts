// Recovery codes of customers, as digests. A code that was used is deleted.
import { affectsRows, countRows } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { isPerson, type Person } from './people.ts';

export async function recoveryCodesReplace(
  queries: Queries,
  { account_id, contact_id }: Person,
  digests: readonly string[],
): Promise<void> {
  await recoveryCodesRemove(queries, { account_id, contact_id });
  await queries
    .insertInto('recovery_codes')
    .values(digests.map((digest) => ({ account_id, contact_id, digest })))
    .execute();
}

export async function recoveryCodesRemove(queries: Queries, person: Person): Promise<void> {
  await queries.deleteFrom('recovery_codes').where(isPerson(person)).execute();
}

export async function recoveryCodeCount(queries: Queries, person: Person): Promise<number> {
  return countRows(queries.selectFrom('recovery_codes').where(isPerson(person)));
}

export async function recoveryCodeExists(queries: Queries, person: Person, digest: string): Promise<boolean> {
  const row = queries.selectFrom('recovery_codes').select('digest').where(isPerson(person));
  return (await row.where('digest', '=', digest).executeTakeFirst()) !== undefined;
}

/** Returns false if it does not exist, or has been used. */
export async function recoveryCodeSpend(queries: Queries, person: Person, digest: string): Promise<boolean> {
  return affectsRows(
    queries.deleteFrom('recovery_codes').where(isPerson(person)).where('digest', '=', digest).returning('account_id'),
  );
}
