// Keys of customers as the provider's staff make and revoke them.
import type { Static } from 'typebox';
import type { Key as KeyShape, NewKey } from '#contract/shapes/key.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import * as store from '#store/account/keys.ts';
import { momentOf, newKey, shown } from '../account/keys.ts';
import type { Context } from '../yard.ts';
import { customer } from './accounts.ts';

export async function keyList({ queries, yard }: Context, account: number): Promise<Static<typeof KeyShape>[]> {
  const { id } = await customer(queries, account);
  return (await store.keyList(queries, id)).map((key) => shown(key, yard.clock.now()));
}

export interface KeyOrder {
  readonly account: number;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allow?: readonly string[];
  readonly expires?: number;
}

export async function keyCreate(context: Context, order: KeyOrder): Promise<Static<typeof NewKey>> {
  const { queries, yard } = context;
  const owner = await customer(queries, order.account);
  if (owner.status === 'Closed') throw new Fault('account_closed');
  if (order.scopes.length === 0) throw invalid({ scopes: 'must name at least one scope' });
  const now = yard.clock.now();
  const { text, row } = newKey(owner.id, now, { ...order, expiresAt: momentOf(order.expires, now) });
  const keyid = String(await store.keyInsert(queries, row));
  context.actFor(owner.id).tell('key.created', { keyid, name: order.name, scopes: [...order.scopes] });
  return { id: keyid, key: text };
}

export async function keyRevoke(context: Context, account: number, id: number): Promise<void> {
  const { queries, yard } = context;
  const owner = await customer(queries, account);
  const key = await store.keyFind(queries, owner.id, id);
  if (key === undefined) throw new Fault('not_found', { message: 'The account has no such key.' });
  const acting = context.actFor(owner.id);
  if (await store.keyUpdate(queries, owner.id, id, { revoked_at: yard.clock.now() }))
    acting.tell('key.revoked', { keyid: String(id), name: key.name });
  context.afterCommit(() => yard.authentication.forget());
}
