// Volumes: disks of an account that outlive the systems of the machine they are attached to, and the machine itself.
import type { Migration } from './migration.ts';

export const volumes: Migration = {
  name: '0078-volumes',
  statements: ({ id, integer }) => [
    `create table volumes (id ${id}, account_id ${integer} not null references accounts (id),
  service_id ${integer} not null references services (id), node text not null, name text not null, size_gb ${integer} not null,
  state text not null, is_attached ${integer} not null, created_at ${integer} not null)`,
    "create unique index volumes_of_account on volumes (account_id, name) where state <> 'Deleting'",
    'create index volumes_by_account on volumes (account_id, id)',
    'create index volumes_of_service on volumes (service_id, id)',
    "create index volumes_to_delete on volumes (id) where state = 'Deleting'",
  ],
};
