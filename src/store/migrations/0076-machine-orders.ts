// Machines that customers order and delete: locations of hypervisors, groups of machines on different hypervisors, protection,
// what a system is installed with, and deleted machines that can still be restored.
import type { Migration } from './migration.ts';

export const machineOrders: Migration = {
  name: '0076-machine-orders',
  statements: ({ id, integer }) => {
    const account = `account_id ${integer} not null references accounts (id)`;
    return [
      `alter table nodes add column location text not null default ''`,
      `alter table templates add column cloud_init ${integer}`,
      `create table machine_groups (id ${id}, ${account}, name text not null, created_at ${integer} not null)`,
      'create unique index machine_groups_of_account on machine_groups (account_id, name)',
      'alter table machines add column wanted_location text',
      `alter table machines add column group_id ${integer} references machine_groups (id)`,
      `alter table machines add column is_protected ${integer} not null default 0`,
      'alter table machines add column install_data text',
      'create index services_by_installation on services (installed_at, id)',
      'create index machines_in_order on machines (account_id, service_id)',
      'create index machines_of_group on machines (group_id) where group_id is not null',
      `create table machine_deletions (service_id ${integer} not null references services (id), ${account},
  deleted_at ${integer} not null, expires_at ${integer} not null, stopped_at ${integer}, until_day ${integer},
  otherwise_day ${integer}, primary key (service_id))`,
      'create index machine_deletions_of_account on machine_deletions (account_id, service_id)',
      'create index machine_deletions_by_end on machine_deletions (expires_at, service_id)',
      'create index machine_deletions_running on machine_deletions (service_id) where stopped_at is null',
    ];
  },
};
