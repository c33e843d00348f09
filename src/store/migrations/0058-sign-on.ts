// Single sign-on through identity providers, of staff and of accounts; and passkeys of staff. Rows of staff belong to the
// provider's own account.
import type { Migration } from './migration.ts';

export const signOn: Migration = {
  name: '0058-sign-on',
  statements: ({ integer }) => {
    const account = `account_id ${integer} not null references accounts (id)`;
    return [
      `create table sign_on_flows (hash text primary key not null, ${account}, issuer text not null,
  redirect_uri text not null, expires_at ${integer} not null)`,
      'create index sign_on_flows_by_expiry on sign_on_flows (expires_at)',
      `create table sign_on_identities (${account}, issuer text not null, subject text not null,
  contact_id ${integer} references contacts (id) on delete cascade, operator_id ${integer} references operators (id),
  created_at ${integer} not null, primary key (account_id, issuer, subject))`,
      'create index sign_on_identities_of_contact on sign_on_identities (contact_id)',
      `create table sign_on_providers (account_id ${integer} primary key not null references accounts (id),
  issuer text not null, client_id text not null, client_secret text not null, scopes text not null, claim text not null,
  grants text not null, updated_at ${integer} not null)`,
      `create table sign_on_domains (${account}, domain text not null, token text not null,
  required ${integer} not null, verified_at ${integer}, created_at ${integer} not null, primary key (account_id, domain))`,
      'create index sign_on_domains_by_domain on sign_on_domains (domain)',
      'alter table keys add column session_method text',
    ];
  },
};
