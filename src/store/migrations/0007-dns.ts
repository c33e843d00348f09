// Zones with their records and history, publications to an external name server, and the provider's netblocks.
import type { Migration } from './migration.ts';

export const dns: Migration = {
  name: '0007-dns',
  statements: ({ id, integer, bytes, sortable }) => [
    `create table zones (
  id ${id}, account_id ${integer} references accounts (id), name text not null unique,
  kind text not null check (kind in ('forward', 'reverse')), revision ${integer} not null, record_count ${integer} not null,
  created_at ${integer} not null)`,
    'create index zones_of_account on zones (account_id, id)',
    `create table records (
  id ${id}, account_id ${integer} references accounts (id), zone_id ${integer} not null references zones (id) on delete cascade,
  name text not null, path ${sortable} not null, type ${integer} not null, ttl ${integer} not null, content text not null,
  rdata ${bytes} not null, address ${sortable})`,
    'create index records_of_zone on records (zone_id, id)',
    'create index records_by_path on records (zone_id, path)',
    'create index records_by_address on records (address) where address is not null',
    `create table zone_versions (
  zone_id ${integer} not null references zones (id) on delete cascade, version ${integer} not null, at ${integer} not null,
  operation text not null, serial ${integer} not null, removed text not null, added text not null,
  primary key (zone_id, version))`,
    `create table zone_publications (
  zone text primary key not null, holder text not null, lease_until ${integer} not null)`,
    `create table netblocks (
  id ${id}, cidr text not null unique, first ${sortable} not null, last ${sortable} not null,
  account_id ${integer} references accounts (id), service_id ${integer} references services (id))`,
    'create index netblocks_by_first on netblocks (first)',
    'create index netblocks_of_account on netblocks (account_id, first)',
    "insert into meta (name, value) values ('zones serial', '1')",
  ],
};
