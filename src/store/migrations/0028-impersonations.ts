// Impersonations of customers by staff, and until when a password that staff chose can be used.
import type { Migration } from './migration.ts';

export const impersonations: Migration = {
  name: '0028-impersonations',
  statements: ({ id, integer }) => [
    `alter table accounts add column password_temporary_until ${integer}`,
    // The session has no foreign key: sessions are deleted when they have expired, this record stays.
    `create table impersonations (
  id ${id}, account_id ${integer} not null references accounts (id), operator_id ${integer} not null references operators (id),
  operator text not null, reason text not null, key_id ${integer} not null, created_at ${integer} not null,
  expires_at ${integer} not null, ended_at ${integer}, ended_by text check (ended_by in ('Staff', 'Customer')))`,
    'create index impersonations_of_account on impersonations (account_id, id)',
    'create index impersonations_of_operator on impersonations (operator_id, ended_at)',
  ],
};
