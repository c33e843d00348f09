// Keys as the provider's staff make and end them, on the machine itself.
import { grantNames } from '#contract/scopes.ts';
import { eventAppend } from '#jobs/event-append.ts';
import { momentText } from '#kernel/moments.ts';
import { accountFind } from '#store/account/accounts.ts';
import * as store from '#store/account/keys.ts';
import type { AccountId } from '#store/tables.ts';
import { AdminError } from '../admin-error.ts';
import { newKey } from './keys.ts';
import type { Yard } from '../yard.ts';

export async function makeKey(yard: Yard, account: number, name: string, scopes: readonly string[]): Promise<string> {
  const unknown = scopes.filter((scope) => !(grantNames as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new AdminError(`unknown scope ${unknown.join(', ')}; there are ${grantNames.join(', ')}`);
  const owner = await accountFind(yard.store.queries, account as AccountId);
  if (owner === undefined) throw new AdminError(`there is no account ${account}`);
  const { text, row } = newKey(owner.id, yard.clock.now(), { name, scopes, expiresAt: null });
  await yard.store.transaction(async (queries) => {
    const id = await store.keyInsert(queries, row);
    const data = { keyid: String(id), name, scopes: [...scopes] };
    await eventAppend(yard, queries, { account: owner.id, type: 'key.created', data });
  });
  return text;
}

export async function listKeys(yard: Yard, account: number): Promise<string[]> {
  const keys = await store.keyList(yard.store.queries, account as AccountId);
  return keys.map((key) => {
    const used =
      key.last_used_at === null
        ? 'never used'
        : `last used ${momentText(key.last_used_at)} from ${key.last_used_address}`;
    const scopes = (JSON.parse(key.scopes) as string[]).join(',');
    return `${key.id}  hy_${key.printable_id}  ${key.name}  ${scopes}  ${key.revoked_at === null ? used : 'revoked'}`;
  });
}

export async function revokeKey(yard: Yard, account: number, id: number): Promise<void> {
  const owner = account as AccountId;
  await yard.store.transaction(async (queries) => {
    const key = await store.keyFind(queries, owner, id);
    const done = await store.keyUpdate(queries, owner, id, { revoked_at: yard.clock.now() });
    if (key === undefined || !done)
      throw new AdminError(`account ${account} has no such key, or it is revoked already`);
    const data = { keyid: String(id), name: key.name };
    await eventAppend(yard, queries, { account: owner, type: 'key.revoked', data });
  });
}
