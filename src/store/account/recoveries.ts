// Links for people who forgot their password.
import type { Selectable } from 'kysely';
import { countRows, deleteWhere, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { isHolder, type SignInHolder } from './people.ts';
import type { RecoveryTable } from './tables.ts';

export type Recovery = Selectable<RecoveryTable>;

export async function recoveryInsert(queries: Queries, recovery: Recovery): Promise<void> {
  await queries.insertInto('recoveries').values(recovery).execute();
}

/** Returns how many links of the person have not expired. */
export async function recoveryCount(queries: Queries, holder: SignInHolder, now: number): Promise<number> {
  return countRows(queries.selectFrom('recoveries').where(isHolder(holder)).where('expires_at', '>', now));
}

export async function recoveryFind(queries: Queries, token_hash: string): Promise<Recovery | undefined> {
  return selectWhere(queries, 'recoveries', { token_hash }).selectAll().executeTakeFirst();
}

/** Returns and uses up a link. Of two at once, one gets undefined. */
export async function recoveryTake(queries: Queries, token_hash: string): Promise<Recovery | undefined> {
  return deleteWhere(queries, 'recoveries', { token_hash }).returningAll().executeTakeFirst();
}

export async function recoveriesRemove(queries: Queries, holder: SignInHolder): Promise<void> {
  await queries.deleteFrom('recoveries').where(isHolder(holder)).execute();
}

export async function recoveriesRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('recoveries').where('expires_at', '<', now).execute();
}
