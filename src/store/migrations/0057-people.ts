// One-time links by email, for forgotten passwords and invited contacts. Only digests of their tokens are stored.
import type { Migration } from './migration.ts';

export const people: Migration = {
  name: '0057-people',
  statements: ({ id, integer }) => [
    `create table recoveries (token_hash text primary key not null,
  account_id ${integer} not null references accounts (id),
  contact_id ${integer} references contacts (id) on delete cascade,
  sign_in_digest text not null, created_at ${integer} not null, expires_at ${integer} not null)`,
    'create index recoveries_of_person on recoveries (account_id, contact_id)',
    // For the deletion of a contact.
    'create index recoveries_of_contact on recoveries (contact_id)',
    'create index recoveries_by_expiry on recoveries (expires_at)',
    `create table invitations (id ${id}, account_id ${integer} not null references accounts (id),
  contact_id ${integer} not null references contacts (id) on delete cascade, token_hash text not null unique,
  email text not null, permissions text not null, invited_by text not null, created_at ${integer} not null, expires_at ${integer} not null)`,
    'create unique index invitations_of_contact on invitations (account_id, contact_id)',
    'create index invitations_by_contact on invitations (contact_id)',
    'create index invitations_by_expiry on invitations (expires_at)',
  ],
};
