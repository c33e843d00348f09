// Second factors of customers: TOTP secrets, passkeys and passkey challenges.
import type { Migration } from './migration.ts';

export const secondFactors: Migration = {
  name: '0021-second-factors',
  statements: ({ id, integer }) => {
    const person = `account_id ${integer} not null references accounts (id),
  contact_id ${integer} references contacts (id) on delete cascade`;
    return [
      `create table totps (
  ${person}, secret text not null, since ${integer}, step ${integer} not null)`,
      // One per person. The account's own sign-in has no contact, and two nulls would not be equal.
      'create unique index totps_of_person on totps (account_id, coalesce(contact_id, -1))',
      `create table passkeys (
  id ${id}, ${person}, credential text not null unique, public_key text not null, counter ${integer} not null,
  transports text not null, user_handle text not null, rp_id text not null, name text not null,
  created_at ${integer} not null, last_used_at ${integer})`,
      'create index passkeys_of_person on passkeys (account_id, contact_id, id)',
      `create table passkey_challenges (
  hash text primary key not null, account_id ${integer} references accounts (id),
  contact_id ${integer} references contacts (id) on delete cascade, user_handle text, expires_at ${integer} not null)`,
      'create index passkey_challenges_by_expiry on passkey_challenges (expires_at)',
    ];
  },
};
