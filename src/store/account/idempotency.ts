// Answers kept under the caller's Idempotency-Key.
import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId, IdempotencyTable, Tables } from '../tables.ts';

export type KeptAnswer = Selectable<IdempotencyTable>;
export interface IdempotencyScope {
  readonly account: AccountId;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** True where this caller is the first; another transaction that claims the same key meanwhile is waited for. */
export async function idempotencyClaim(queries: Queries, claim: Insertable<IdempotencyTable>): Promise<boolean> {
  const row = await queries
    .insertInto('idempotency')
    .values(claim)
    .onConflict((conflict) => conflict.columns(['account_id', 'method', 'path', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function idempotencyFind(queries: Queries, scope: IdempotencyScope): Promise<KeptAnswer | undefined> {
  return queries.selectFrom('idempotency').selectAll().where(matching(scope)).executeTakeFirst();
}

export async function idempotencyKeep(
  queries: Queries,
  scope: IdempotencyScope,
  status: number,
  body: string,
): Promise<void> {
  await queries.updateTable('idempotency').set({ status, body }).where(matching(scope)).execute();
}

export async function idempotencyRemove(queries: Queries, scope: IdempotencyScope): Promise<void> {
  await queries.deleteFrom('idempotency').where(matching(scope)).execute();
}

export async function idempotencyRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('idempotency').where('expires_at', '<', now).execute();
}

/** A process that works on a long request says now and then that it still does. */
export async function idempotencyExtend(
  queries: Queries,
  scope: IdempotencyScope,
  claimedUntil: number,
): Promise<void> {
  await queries.updateTable('idempotency').set({ claimed_until: claimedUntil }).where(matching(scope)).execute();
}

function matching(scope: IdempotencyScope) {
  return (where: ExpressionBuilder<Tables, 'idempotency'>) =>
    where.and({ account_id: scope.account, method: scope.method, path: scope.path, key: scope.key });
}
