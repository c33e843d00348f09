// Email addresses that several tenants can use to sign in, and the networks from which people have signed in before.
import type { Migration } from './migration.ts';

export const signInNetworks: Migration = {
  name: '0025-sign-in-networks',
  statements: ({ integer }) => [
    `create table sign_ins_of_accounts (
  email text not null, account_id ${integer} not null references accounts (id),
  contact_id ${integer} references contacts (id) on delete cascade, since ${integer} not null default 0,
  primary key (account_id, email))`,
    'insert into sign_ins_of_accounts (email, account_id, contact_id) select email, account_id, contact_id from sign_ins',
    'drop table sign_ins',
    'alter table sign_ins_of_accounts rename to sign_ins',
    'create index sign_ins_by_email on sign_ins (email)',
    // Only staff set the address of an account itself, so only they learn that another account has it.
    'create unique index sign_ins_of_owners on sign_ins (email) where contact_id is null',
    `create table known_networks (
  account_id ${integer} references accounts (id), contact_id ${integer} references contacts (id) on delete cascade,
  operator_id ${integer} references operators (id), network text not null, seen_at ${integer} not null)`,
    `create unique index known_networks_of_person on known_networks (
  network, coalesce(account_id, -1), coalesce(contact_id, -1), coalesce(operator_id, -1))`,
    // These were enrolled without a proof.
    'delete from totps where since is null',
    'update operators set totp_secret = null where totp_since is null',
  ],
};
