// Backups have the volumes of their machine, and can be restored to new machines and volumes.
import type { Migration } from './migration.ts';

export const backupDisks: Migration = {
  name: '0086-backup-disks',
  statements: ({ integer }) => {
    const ofMachine = (column: string, otherwise: string): string =>
      `coalesce((select ${column} from machines where machines.service_id = machine_backups.service_id), ${otherwise})`;
    return [
      `alter table machine_backups add column kind text not null default 'Xen'`,
      `alter table machine_backups add column disk_gb ${integer} not null default 0`,
      `update machine_backups set kind = ${ofMachine('kind', "'Xen'")}, disk_gb = ${ofMachine('disk_gb', '0')}`,
      // Whoever has a schedule agreed to the price of what it stores without volumes.
      `alter table machine_backup_plans add column with_volumes ${integer} not null default 0`,
      `create table machine_backup_volumes (backup_id text not null references machine_backups (id) on delete cascade,
  volume_id ${integer} not null, account_id ${integer} not null references accounts (id), name text not null,
  size_gb ${integer} not null, snapshot text, digest text, size_bytes ${integer} not null,
  primary key (backup_id, volume_id))`,
      'create index machine_backup_volumes_of_account on machine_backup_volumes (account_id, backup_id)',
      `alter table backup_transfers add column target_id ${integer}`,
      `alter table backup_transfers add column part ${integer}`,
      `alter table backup_transfers add column volume_id ${integer}`,
      'alter table machines add column from_backup text',
      'create index machines_from_backup on machines (from_backup) where from_backup is not null',
    ];
  },
};
