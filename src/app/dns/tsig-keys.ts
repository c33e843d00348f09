// TSIG keys of an account: keys for DNS messages instead of the API. They have the same limits, and cannot do more
// than the key that creates them.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { NewTsigKey, TsigKey } from '#contract/shapes/tsig.ts';
import type { tsigV2 } from '#contract/v2/tsig.ts';
import { conflict, requireFound } from '#lib/api-error.ts';
import { keyInsert } from '#store/account/keys.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/dns/tsig-keys.ts';
import { createGrantedKeyRow, isVisible, keyShape } from '../account/keys.ts';
import type { Context } from '../app.ts';
import { tsigName, tsigSealContext } from './tsig-names.ts';

/** Enough for one per host; each has a separate rate limit. */
const tsigKeysPerAccount = 100;
const scopes = ['dns:read' as const, 'dns:write' as const];
/** As long as the hash, which RFC 2104 recommends. */
export const tsigSecretBytes = { 'hmac-sha256': 32, 'hmac-sha512': 64 };
type Algorithm = keyof typeof tsigSecretBytes;

export async function tsigKeyList(context: Context): Promise<Static<typeof TsigKey>[]> {
  const { queries, caller, app } = context;
  const keys = await store.tsigKeyList(queries, caller.account);
  return keys
    .filter((key) => isVisible(context, key))
    .map((key) => {
      const { scopes: _, services: __, status, ...shape } = keyShape(key, app.clock.now());
      return {
        ...shape,
        status: status === 'Active' ? status : 'Expired',
        tsigname: tsigName(app.secrets, key.printable_id),
        algorithm: key.tsig_algorithm as Algorithm,
      };
    });
}

export async function tsigKeyCreate(
  context: Context,
  { algorithm = 'hmac-sha256', ...fields }: InputOf<typeof tsigV2.tsigKeyCreate>,
): Promise<Static<typeof NewTsigKey>> {
  const { queries, caller, app } = context;
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.tsigKeyCount(queries, caller.account)) >= tsigKeysPerAccount)
    throw conflict(`An account can have at most ${tsigKeysPerAccount} TSIG keys. Delete one first.`);
  // The text of the API key is dropped, so that the row cannot be used as one.
  const { row } = await createGrantedKeyRow(context, { ...fields, scopes });
  const secret = randomBytes(tsigSecretBytes[algorithm]).toString('base64');
  const id = await keyInsert(queries, {
    ...row,
    kind: 'tsig',
    tsig_algorithm: algorithm,
    tsig_secret: app.secrets.seal(secret, tsigSealContext(row.printable_id)),
  });
  context.emit('key.created', { keyid: String(id), name: fields.name, scopes });
  return { id: String(id), tsigname: tsigName(app.secrets, row.printable_id), algorithm, secret };
}

export async function tsigKeyDelete(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  const found = await store.tsigKeyFind(queries, caller.account, id);
  const key = requireFound(found && isVisible(context, found) ? found : undefined);
  await store.tsigKeyRemove(queries, caller.account, id);
  context.emit('key.revoked', { keyid: String(id), name: key.name });
}
