// API keys as managed on the server's command line.
import { grantNames } from '#contract/scopes.ts';
import { appendEvent } from '#events/append.ts';
import { timeText } from '#lib/time.ts';
import * as store from '#store/account/keys.ts';
import { CommandError } from '#lib/command-error.ts';
import { createKeyRow } from './keys.ts';
import { requireAccount } from './require-account.ts';
import type { App } from '../app.ts';
import type { AccountId } from '#store/account-id.ts';

export async function createKey(app: App, account: number, name: string, scopes: readonly string[]): Promise<string> {
  const unknown = scopes.filter((scope) => !(grantNames as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new CommandError(`Unknown scope ${unknown.join(', ')}. Available scopes: ${grantNames.join(', ')}.`);
  const owner = await requireAccount(app.store.queries, account);
  const { text, row } = createKeyRow(owner.id, app.clock.now(), { name, scopes, expiresAt: null });
  await app.store.transaction(async (queries) => {
    const id = await store.keyInsert(queries, row);
    const data = { keyid: String(id), name, scopes: [...scopes] };
    await appendEvent(app, queries, { account: owner.id, type: 'key.created', data });
  });
  return text;
}

export async function listKeys(app: App, account: number): Promise<string[]> {
  await requireAccount(app.store.queries, account);
  const keys = await store.keyList(app.store.queries, account as AccountId);
  return keys.map((key) => {
    const lastUse =
      key.last_used_at === null
        ? 'never used'
        : `last used ${timeText(key.last_used_at)} from ${key.last_used_address}`;
    const scopes = store.keyScopes.decode(key.scopes).join(',');
    return `${key.id}  hy_${key.printable_id}  ${key.name}  ${scopes}  ${key.revoked_at === null ? lastUse : 'revoked'}`;
  });
}

export async function revokeKey(app: App, account: number, id: number): Promise<void> {
  const owner = account as AccountId;
  await app.store.transaction(async (queries) => {
    const key = await store.keyFind(queries, owner, id);
    const isRevoked = await store.keyUpdate(queries, owner, id, { revoked_at: app.clock.now() });
    if (key === undefined || !isRevoked)
      throw new CommandError(`Account ${account} does not have this key, or the key is already revoked.`);
    const data = { keyid: String(id), name: key.name };
    await appendEvent(app, queries, { account: owner, type: 'key.revoked', data });
  });
}
