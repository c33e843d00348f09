// API keys of customers as operators create and revoke them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { keyOperator } from '#contract/operator/key.ts';
import type { Key as KeyShape, NewKey } from '#contract/shapes/key.ts';
import { ApiError, invalid, requireFound } from '#lib/api-error.ts';
import * as store from '#store/account/keys.ts';
import { expiryTime, createKeyRow, keyShape } from '../account/keys.ts';
import type { Context } from '../app.ts';
import { getCustomer } from './accounts.ts';

export async function keyList({ queries, app }: Context, account: number): Promise<Static<typeof KeyShape>[]> {
  const { id } = await getCustomer(queries, account);
  return (await store.keyList(queries, id)).map((key) => keyShape(key, app.clock.now()));
}

export async function keyCreate(
  context: Context,
  order: InputOf<typeof keyOperator.keyCreate>,
): Promise<Static<typeof NewKey>> {
  const { queries, app } = context;
  const owner = await getCustomer(queries, order.account);
  if (owner.status === 'Closed') throw new ApiError('account_closed');
  if (order.scopes.length === 0) throw invalid({ scopes: 'must name at least one scope' });
  const now = app.clock.now();
  const { text, row } = createKeyRow(owner.id, now, { ...order, expiresAt: expiryTime(order.expires, now) });
  const keyid = String(await store.keyInsert(queries, row));
  context.onBehalfOf(owner.id).emit('key.created', { keyid, name: order.name, scopes: [...order.scopes] });
  return { id: keyid, key: text };
}

export async function keyRevoke(context: Context, account: number, id: number): Promise<void> {
  const { queries, app } = context;
  const owner = await getCustomer(queries, account);
  const key = requireFound(await store.keyFind(queries, owner.id, id), 'Key not found in this account.');
  const acting = context.onBehalfOf(owner.id);
  if (await store.keyUpdate(queries, owner.id, id, { revoked_at: app.clock.now() }))
    acting.emit('key.revoked', { keyid: String(id), name: key.name });
  context.afterCommit(() => app.authentication.forget());
}
