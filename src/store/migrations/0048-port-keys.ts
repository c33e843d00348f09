// What a switch port is recognised by, because switches renumber their ports; and what is wrong with it.
import type { Migration } from './migration.ts';

export const portKeys: Migration = {
  name: '0048-port-keys',
  statements: ({ integer }) => [
    'alter table ports add column key_by text',
    'alter table ports add column key text',
    `alter table ports add column current_index ${integer}`,
    `alter table ports add column counter_bits ${integer}`,
    'alter table ports add column problem text',
    'alter table ports add column cabled_to text',
    'create unique index ports_unique_keys on ports (switch, key_by, key)',
    'create index ports_with_problem on ports (switch, if_index) where problem is not null or cabled_to is not null',
  ],
};
