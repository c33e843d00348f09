// The key that signing in gives: one that ends by itself after twelve hours.
import type { NewKey } from '#store/account/keys.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { defaultLimits } from './keys.ts';

export const sessionMs = 12 * 3_600_000;

type Holder = Pick<NewKey, 'account_id' | 'contact_id' | 'operator_role'> & { readonly operator_id?: number };

export function sessionKey(holder: Holder, now: number, address: string): { text: string; row: NewKey } {
  const { text, printableId, secretHash } = makeKeyText();
  const row: NewKey = {
    ...holder,
    kind: 'session',
    printable_id: printableId,
    secret_hash: secretHash.toString('hex'),
    name: 'sign-in',
    scopes: JSON.stringify(['all']),
    allow: '[]',
    ...defaultLimits,
    created_at: now,
    expires_at: now + sessionMs,
    last_used_at: now,
    last_used_address: address,
  };
  return { text, row };
}
