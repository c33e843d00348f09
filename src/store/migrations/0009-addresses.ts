// Address pools, customers' requests for addresses, and who held which address when.
import type { Migration } from './migration.ts';

export const addresses: Migration = {
  name: '0009-addresses',
  statements: ({ id, integer, sortable }) => [
    "alter table netblocks add column origin text not null default 'site'",
    'alter table netblocks add column pool text',
    `create table netblock_units (
  unit ${sortable} primary key not null, netblock_id ${integer} not null references netblocks (id) on delete cascade)`,
    `create table netblock_holdings (
  id ${id}, cidr text not null, first ${sortable} not null, last ${sortable} not null,
  account_id ${integer} not null references accounts (id), service_id ${integer} not null,
  held_from ${integer} not null, held_until ${integer})`,
    'create index netblock_holdings_by_first on netblock_holdings (first)',
    `create table netblock_requests (
  id ${id}, account_id ${integer} not null references accounts (id), service_id ${integer} not null,
  family text not null, prefix_length ${integer} not null, status text not null, cidr text not null, created_at ${integer} not null)`,
    'create index netblock_requests_of_account on netblock_requests (account_id, id)',
  ],
};
