// The key behind a session, which expires after twelve hours, or earlier after single sign-on.
import { type NewKey, keyScopes } from '#store/account/keys.ts';
import { createKeyText } from '#lib/key-text.ts';
import { defaultLimits } from './keys.ts';

export const sessionMs = 12 * 3_600_000;
/** Then the identity provider decides again. */
const signOnSessionMs = 3_600_000;

type Holder = Pick<NewKey, 'account_id' | 'contact_id' | 'operator_role' | 'session_method'> & {
  readonly operator_id?: number;
};

export function createSessionKey(holder: Holder, now: number, address: string): { text: string; row: NewKey } {
  const { text, printableId, secretHash } = createKeyText();
  const row: NewKey = {
    ...holder,
    kind: 'session',
    printable_id: printableId,
    secret_hash: secretHash.toString('hex'),
    name: 'sign-in',
    scopes: keyScopes.encode(['all']),
    allow: '[]',
    ...defaultLimits,
    created_at: now,
    expires_at: now + (holder.session_method === 'sign-on' ? signOnSessionMs : sessionMs),
    last_used_at: now,
    last_used_address: address,
  };
  return { text, row };
}
