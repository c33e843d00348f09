// Plans: calls that wait for approval.
import type { Migration } from './migration.ts';

export const plans: Migration = {
  name: '0017-plans',
  statements: ({ id, integer }) => [
    `create table plans (
  id ${id}, account_id ${integer} not null references accounts (id), key_id ${integer} not null,
  operation text not null, input text not null, hits text not null,
  status text not null check (status in ('Pending', 'Approved', 'Refused', 'Done', 'Failed')),
  decided_key_id ${integer}, outcome text not null, created_at ${integer} not null, expires_at ${integer} not null)`,
    'create index plans_of_account on plans (account_id, id)',
  ],
};
