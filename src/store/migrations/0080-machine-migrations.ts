// Maintenance and evacuation of hypervisors, and the copies of machines that migrations make and leave.
import type { Migration } from './migration.ts';

export const machineMigrations: Migration = {
  name: '0080-machine-migrations',
  statements: ({ integer }) => [
    `alter table nodes add column maintenance_since ${integer}`,
    `alter table nodes add column maintenance_reason text not null default ''`,
    `alter table nodes add column evacuation_since ${integer}`,
    `alter table nodes add column evacuation_ended_at ${integer}`,
    `alter table nodes add column evacuation_mode text not null default 'auto'`,
    `create table machine_copies (node text not null references nodes (name),
  service_id ${integer} not null references services (id), account_id ${integer} not null references accounts (id),
  vmid ${integer} not null, source text not null, workflow_id text not null, mode text,
  memory_mb ${integer} not null, disk_gb ${integer} not null, copied_bytes ${integer} not null default 0,
  total_bytes ${integer} not null default 0, progress_at ${integer} not null, is_obsolete ${integer} not null default 0,
  created_at ${integer} not null, primary key (node, service_id))`,
    'create index machine_copies_of_service on machine_copies (service_id)',
    'create index machine_copies_obsolete on machine_copies (service_id) where is_obsolete = 1',
  ],
};
