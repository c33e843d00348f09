// Accounts that people create themselves: requests, invitations of staff, proofs of work that were used, and the terms
// that each account accepted. Only digests of tokens are stored.
import type { Migration } from './migration.ts';

export const signUp: Migration = {
  name: '0065-sign-up',
  statements: ({ id, integer }) => [
    `create table sign_up_proofs (digest text primary key not null, expires_at ${integer} not null)`,
    'create index sign_up_proofs_by_expiry on sign_up_proofs (expires_at)',
    `create table sign_up_invitations (id ${id}, token_hash text not null unique, email text not null,
  invited_by text not null, created_at ${integer} not null, expires_at ${integer} not null)`,
    'create index sign_up_invitations_by_expiry on sign_up_invitations (expires_at)',
    `create table sign_ups (id ${id}, status text not null check (status in ('Unverified', 'Waiting', 'Rejected')),
  token_hash text unique, invitation_id ${integer} references sign_up_invitations (id) on delete set null,
  sign_in text not null, email text not null, firstname text not null, lastname text not null,
  companyname text not null, address1 text not null, address2 text not null, city text not null, state text not null,
  postcode text not null, country text not null, phonenumber text not null, language text not null,
  password_hash text, terms_version text not null, terms_url text not null, address text not null,
  created_at ${integer} not null, verified_at ${integer}, expires_at ${integer} not null, reason text not null)`,
    'create index sign_ups_by_sign_in on sign_ups (sign_in)',
    'create index sign_ups_by_status on sign_ups (status, id)',
    'create index sign_ups_by_expiry on sign_ups (expires_at)',
    // For the deletion of an invitation.
    'create index sign_ups_of_invitation on sign_ups (invitation_id)',
    `create table account_terms (account_id ${integer} not null references accounts (id), version text not null,
  url text not null, accepted_at ${integer} not null, address text not null, primary key (account_id, version))`,
  ],
};
