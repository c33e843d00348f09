// Workflows, reconcilers and who runs them.
import type { Migration } from './migration.ts';

export const workflows: Migration = {
  name: '0004-workflows',
  statements: ({ integer }) => [
    `create table workflows (
  id text primary key not null, account_id ${integer} not null references accounts (id), service_id ${integer},
  name text not null, version ${integer} not null, operation text not null, status text not null, direction text not null,
  position ${integer} not null, step text not null, step_since ${integer} not null, tries ${integer} not null,
  progress ${integer} not null, input text not null, outputs text not null, error_code text, error_reason text,
  cancel_requested ${integer} not null, created_at ${integer} not null, ended_at ${integer}, revision ${integer} not null)`,
    'create index workflows_of_account on workflows (account_id, id)',
    'create index workflows_by_end on workflows (ended_at)',
    `create table reconcilers (
  name text primary key not null, run_at ${integer} not null, signals ${integer} not null, holder text,
  lease_until ${integer} not null, last_success_at ${integer}, last_duration_ms ${integer}, last_error text,
  backlog ${integer} not null)`,
  ],
};
