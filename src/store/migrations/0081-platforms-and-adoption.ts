// What the systems of a template need of a machine, and machines that a hypervisor had before Hostyard: their names on it, and
// whether their traffic is filtered.
import type { Migration } from './migration.ts';

export const platformsAndAdoption: Migration = {
  name: '0081-platforms-and-adoption',
  statements: ({ integer }) => [
    `alter table templates add column firmware text not null default 'bios' check (firmware in ('bios', 'uefi'))`,
    `alter table templates add column secure_boot ${integer} not null default 0`,
    `alter table templates add column tpm ${integer} not null default 0`,
    'alter table machines add column hypervisor_name text',
    `alter table machines add column unfiltered ${integer} not null default 0`,
    'create unique index machines_by_hypervisor_name on machines (node, hypervisor_name) where hypervisor_name is not null',
  ],
};
