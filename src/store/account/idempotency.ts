// Responses stored under the caller's Idempotency-Key.
import type { ExpressionBuilder, Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { deleteBefore } from '../engine/removal.ts';
import { affectsRows, insertNew } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { IdempotencyTable } from './tables.ts';

/** The sealed response. Its status has its own column. */
export const storedResponse = jsonColumn('idempotency.body', Type.Object({ type: Type.String(), body: Type.String() }));

export type IdempotencyRow = Selectable<IdempotencyTable>;
export interface IdempotencyScope {
  readonly account: AccountId;
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Returns true if this caller is the first. Waits for another transaction that is claiming the same key. */
export async function idempotencyClaim(queries: Queries, claim: Insertable<IdempotencyTable>): Promise<boolean> {
  return affectsRows(
    insertNew(queries, 'idempotency', claim, ['account_id', 'method', 'path', 'key']).returning('key'),
  );
}

export async function idempotencyFind(queries: Queries, scope: IdempotencyScope): Promise<IdempotencyRow | undefined> {
  return queries.selectFrom('idempotency').selectAll().where(matching(scope)).executeTakeFirst();
}

export async function idempotencyStore(
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
  await deleteBefore(queries, 'idempotency', 'expires_at', now);
}

/** Keeps a claim alive while its process works on a long request. */
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
