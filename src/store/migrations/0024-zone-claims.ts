// Claims of domains that have yet to be proven, and zones that were taken from an account, with their records. Zones get
// a path like records, so that those below a name are a range of an index.
import type { Migration } from './migration.ts';

export const zoneClaims: Migration = {
  name: '0024-zone-claims',
  statements: ({ integer, bytes, sortable }) => [
    `alter table zones add column path ${sortable} not null default ''`,
    `update zones set path = coalesce(
  (select min(path) from records where zone_id = zones.id and records.name = zones.name), '')`,
    'create index zones_by_path on zones (path)',
    `create table zone_claims (
  account_id ${integer} not null references accounts (id), name text not null, token text not null,
  expires_at ${integer} not null, primary key (account_id, name))`,
    `create table withdrawn_zones (
  id ${integer} primary key not null, account_id ${integer} not null references accounts (id), name text not null,
  reason text not null, at ${integer} not null)`,
    'create index withdrawn_zones_of_account on withdrawn_zones (account_id, id)',
    `create table withdrawn_records (
  id ${integer} primary key not null, zone_id ${integer} not null references withdrawn_zones (id) on delete cascade,
  name text not null, type ${integer} not null, ttl ${integer} not null, rdata ${bytes} not null)`,
    'create index withdrawn_records_of_zone on withdrawn_records (zone_id, id)',
  ],
};
