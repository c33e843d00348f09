// Where equipment is mounted and how it is wired; removed equipment stays on record for the customers who had it.
import type { Migration } from './migration.ts';

export const racks: Migration = {
  name: '0018-racks',
  statements: ({ integer }) => [
    `create table racks (name text primary key not null, height ${integer} not null, place text not null)`,
    `create table rack_mounts (
  kind text not null check (kind in ('server', 'switch', 'node')), name text not null, rack text not null references racks (name),
  unit ${integer} not null, height ${integer} not null, primary key (kind, name))`,
    'create index rack_mounts_of_rack on rack_mounts (rack, unit)',
    'alter table servers add column serial text',
    'create unique index servers_by_serial on servers (serial)',
    `alter table servers add column removed_at ${integer}`,
    `alter table switches add column removed_at ${integer}`,
    `alter table nodes add column removed_at ${integer}`,
    'alter table ports add column server text',
    'create index ports_of_server on ports (server)',
  ],
};
