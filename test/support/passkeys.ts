// A stored passkey of an account or an operator, for tests that need not sign in with it.
import { passkeyInsert } from '#store/account/passkeys.ts';
import type { AccountId } from '#store/account-id.ts';
import type { TestApp } from './app.ts';

let passkeys = 0;

export async function createPasskey(
  { parts }: TestApp,
  account: AccountId,
  operator_id: number | null = null,
): Promise<string> {
  const id = await passkeyInsert(parts.store.queries, {
    account_id: account,
    contact_id: null,
    operator_id,
    credential: `credential-${++passkeys}`,
    public_key: '',
    user_handle: `handle-${account}`,
    counter: 0,
    transports: '[]',
    rp_id: 'localhost',
    name: 'sweep',
    created_at: 0,
    last_used_at: null,
  });
  return String(id);
}
