// Snapshots of virtual machines, and the templates that accounts make from them.
import type { Migration } from './migration.ts';

export const machineSnapshots: Migration = {
  name: '0077-machine-snapshots',
  statements: ({ id, integer }) => {
    const owner = `account_id ${integer} not null references accounts (id),
  service_id ${integer} not null references services (id)`;
    const copy = `name text not null, state text not null, reason text not null default '', size_bytes ${integer},
  created_at ${integer} not null`;
    return [
      `create table machine_snapshots (id ${id}, ${owner}, ${copy}, template text not null, is_consistent ${integer})`,
      'create index machine_snapshots_of_service on machine_snapshots (service_id, id)',
      'create index machine_snapshots_of_account on machine_snapshots (account_id, id)',
      `create index machine_snapshots_to_delete on machine_snapshots (id) where state = 'deleting'`,
      `create table machine_images (id ${id}, ${owner}, ${copy}, template text not null, kind text not null,
  node text not null, disk_gb ${integer} not null)`,
      'create index machine_images_of_account on machine_images (account_id, id)',
      'create index machine_images_of_service on machine_images (service_id, id)',
      `create index machine_images_to_delete on machine_images (id) where state = 'deleting'`,
    ];
  },
};
