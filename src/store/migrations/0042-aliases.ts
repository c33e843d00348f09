// ALIAS records: when their targets are looked up, and the addresses that are served instead of them. They and DNAME
// records restrict what else a zone can have, so a zone's are found by an index.
import type { Migration } from './migration.ts';

export const aliases: Migration = {
  name: '0042-aliases',
  statements: ({ integer, bytes }) => [
    `create table aliases (
  record_id ${integer} primary key not null references records (id) on delete cascade,
  account_id ${integer} not null references accounts (id), zone_id ${integer} not null,
  next_look_at ${integer} not null, failing_since ${integer}, failures ${integer} not null)`,
    'create index aliases_by_next_look on aliases (next_look_at)',
    'create index aliases_of_account on aliases (account_id)',
    'create index aliases_of_zone on aliases (zone_id)',
    `create table alias_addresses (
  record_id ${integer} not null references aliases (record_id) on delete cascade, type ${integer} not null,
  ttl ${integer} not null, rdata ${bytes} not null, primary key (record_id, type, rdata))`,
    'create index records_redirecting on records (zone_id) where type in (39, 65401)',
  ],
};
