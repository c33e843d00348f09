// Backups of machines off their hypervisors: a plan and a repository per machine, the backups, and transfers of their content.
import type { Migration } from './migration.ts';

export const machineBackups: Migration = {
  name: '0079-machine-backups',
  statements: ({ integer }) => {
    const owner = `account_id ${integer} not null references accounts (id),
  service_id ${integer} not null references services (id)`;
    return [
      `create table machine_backup_plans (${owner}, password text not null, is_created ${integer} not null,
  frequency text not null, weekday ${integer} not null, hour ${integer} not null, keep_daily ${integer} not null,
  keep_weekly ${integer} not null, keep_monthly ${integer} not null, next_at ${integer}, failures ${integer} not null,
  error text not null, stored_bytes ${integer} not null, needs_prune ${integer} not null, primary key (service_id))`,
      'create index machine_backup_plans_of_account on machine_backup_plans (account_id, service_id)',
      'create index machine_backup_plans_due on machine_backup_plans (next_at, service_id) where next_at is not null',
      'create index machine_backup_plans_to_prune on machine_backup_plans (service_id) where needs_prune = 1',
      'create index machine_backup_plans_failing on machine_backup_plans (service_id) where failures > 0',
      `create table machine_backups (id text not null, ${owner}, state text not null, source text not null,
  hostname text not null, template text not null, snapshot text, digest text, size_bytes ${integer} not null,
  added_bytes ${integer} not null, is_consistent ${integer} not null, created_at ${integer} not null,
  verified_at ${integer}, verify_error text not null, primary key (id))`,
      'create index machine_backups_of_service on machine_backups (service_id, created_at, id)',
      'create index machine_backups_of_account on machine_backups (account_id, id)',
      `create table backup_transfers (id text not null, ${owner}, backup_id text not null, kind text not null,
  state text not null, code text not null, detail text not null, created_at ${integer} not null, primary key (id))`,
      'create index backup_transfers_of_service on backup_transfers (service_id, id)',
      'create index backup_transfers_of_account on backup_transfers (account_id, id)',
    ];
  },
};
