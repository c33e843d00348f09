// SSH keys that an account keeps, so that installations can use them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import { maxSshKeys, type SshKey as SshKeyShape } from '#contract/shapes/ssh-key.ts';
import type { sshKeyV2 } from '#contract/v2/ssh-key.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { sshFingerprint } from '#lib/ssh-key.ts';
import { timeText } from '#lib/time.ts';
import * as store from '#store/account/ssh-keys.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { Context } from '../app.ts';

type Shape = Static<typeof SshKeyShape>;

export async function sshKeyList({ queries, caller }: Context): Promise<Shape[]> {
  return (await store.sshKeyList(queries, caller.account)).map(keyShape);
}

export async function sshKeyCreate(
  context: Context,
  { name, key }: InputOf<typeof sshKeyV2.sshKeyCreate>,
): Promise<Shape> {
  const { queries, caller, app } = context;
  const fingerprint = sshFingerprint(key);
  if (fingerprint === undefined)
    throw invalid({ key: 'is damaged: paste the public key exactly as ssh-keygen wrote it' });
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.sshKeyCount(queries, caller.account)) >= maxSshKeys)
    throw conflict(`The account has ${maxSshKeys} SSH keys. Delete one first.`);
  const row = { account_id: caller.account, name, public_key: key, fingerprint, created_at: app.clock.now() };
  const added = await store.sshKeyInsert(queries, row);
  if (added === undefined) throw new ApiError('already_exists', { message: 'This SSH key is already saved.' });
  context.emit('sshkey.created', { sshkeyid: String(added.id), name, fingerprint });
  return keyShape(added);
}

export async function sshKeyDelete(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  if (!(await store.sshKeyRemove(queries, caller.account, id))) throw new ApiError('not_found');
  context.emit('sshkey.deleted', { sshkeyid: String(id) });
}

/** Returns the public keys for an installation; a number stands for one that the account keeps. */
export async function resolveSshKeys({ queries, caller }: Context, keys: readonly string[]): Promise<string[]> {
  const isId = (key: string): boolean => /^\d+$/.test(key);
  if (!keys.some(isId)) return [...new Set(keys)];
  const saved = new Map(
    (await store.sshKeyList(queries, caller.account)).map((row) => [String(row.id), row.public_key]),
  );
  if (keys.some((key) => isId(key) && !saved.has(key))) throw new ApiError('not_found');
  return [...new Set(keys.map((key) => saved.get(key) ?? key))];
}

function keyShape({ id, name, public_key: key, fingerprint, created_at }: store.SshKey): Shape {
  return { id: String(id), name, key, fingerprint, created: timeText(created_at) };
}
