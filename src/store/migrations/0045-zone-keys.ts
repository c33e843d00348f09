// DNSSEC of the built-in name server: the zones that it signs, and their keys.
import type { Migration } from './migration.ts';

export const zoneKeys: Migration = {
  name: '0045-zone-keys',
  statements: ({ id, integer, bytes }) => [
    `create table signed_zones (
  zone_id ${integer} primary key not null references zones (id) on delete cascade,
  parent_ds text not null check (parent_ds in ('Wanted', 'Unwanted')), refreshed_at ${integer} not null,
  rollover_id text, ds_confirmed ${integer} not null)`,
    'create index signed_zones_by_refresh on signed_zones (refreshed_at)',
    `create table zone_keys (
  id ${id}, zone_id ${integer} not null references signed_zones (zone_id) on delete cascade,
  workflow_id text, state text not null check (state in ('Published', 'Active', 'Retired')),
  key_tag ${integer} not null, algorithm ${integer} not null, dnskey ${bytes} not null, private_key text not null,
  created_at ${integer} not null, changed_at ${integer} not null)`,
    'create index zone_keys_of_zone on zone_keys (zone_id, id)',
  ],
};
