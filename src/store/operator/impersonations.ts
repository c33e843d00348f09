// Impersonations: times during which an operator can view a customer's account. The session itself is a key.
import type { Insertable, Selectable } from 'kysely';
import type { SupportEnding } from '#contract/shapes/support.ts';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { ImpersonationTable } from './tables.ts';

export type Impersonation = Selectable<ImpersonationTable>;

export async function impersonationInsert(queries: Queries, row: Insertable<ImpersonationTable>): Promise<number> {
  const { id } = await queries.insertInto('impersonations').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export interface ImpersonationPage {
  readonly account?: AccountId | undefined;
  readonly limit: number;
  readonly before?: number | undefined;
}
/** Returns the newest first. One whose session an earlier version revoked with the owner's has ended, too. */
export async function impersonationList(
  queries: Queries,
  { account, limit, before }: ImpersonationPage,
): Promise<Impersonation[]> {
  let query = queries
    .selectFrom('impersonations')
    .leftJoin('keys', 'keys.id', 'impersonations.key_id')
    .selectAll('impersonations')
    .select((select) => select.fn.coalesce('impersonations.ended_at', 'keys.revoked_at').as('ended_at'));
  if (account !== undefined) query = query.where('impersonations.account_id', '=', account);
  if (before !== undefined) query = query.where('impersonations.id', '<', before);
  return query.orderBy('impersonations.id', 'desc').limit(limit).execute();
}

type Match = Partial<Pick<Impersonation, 'id' | 'account_id' | 'operator_id' | 'key_id'>>;
/** Returns those that have neither ended nor expired. */
export async function impersonationsActive(queries: Queries, match: Match, now: number): Promise<Impersonation[]> {
  return selectWhere(queries, 'impersonations', { ...match, ended_at: null })
    .selectAll()
    .where('expires_at', '>', now)
    .execute();
}

/** Returns false if it has ended already. */
export async function impersonationEnd(
  queries: Queries,
  id: number,
  ending: { readonly at: number; readonly by: SupportEnding },
): Promise<boolean> {
  const change = { ended_at: ending.at, ended_by: ending.by };
  return affectsRows(updateWhere(queries, 'impersonations', { id, ended_at: null }).set(change).returning('id'));
}
