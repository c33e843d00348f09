// TSIG keys of customers: keys whose secret signs DNS messages, so that it is stored sealed instead of as a hash. And the
// serials of deleted zones: secondaries that still have such a zone must not take a new one of this name for an older
// version of it.
import type { Migration } from './migration.ts';

export const tsigKeys: Migration = {
  name: '0044-tsig-keys',
  statements: ({ integer }) => [
    'alter table keys add column tsig_algorithm text',
    'alter table keys add column tsig_secret text',
    `create table former_zones (
  name text primary key not null, serial ${integer} not null, deleted_at ${integer} not null)`,
    'create index former_zones_by_deletion on former_zones (deleted_at)',
  ],
};
