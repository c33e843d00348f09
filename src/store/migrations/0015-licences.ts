// The seller and buyer of each invoice as they were on the day of issue; software licences of services and their
// prices.
import type { Migration } from './migration.ts';
import { appendOnly } from './append-only.ts';

export const licences: Migration = {
  name: '0015-licences',
  statements: ({ id, integer }, engine) => [
    `create table invoice_parties (
  invoice_id ${integer} primary key not null references invoices (id), account_id ${integer} not null references accounts (id),
  seller text not null, buyer text not null)`,
    ...appendOnly('invoice_parties', engine),
    `create table licence_prices (name text primary key not null, price_cents ${integer} not null check (price_cents >= 0))`,
    `create table licences (
  id ${id}, account_id ${integer} not null references accounts (id), service_id ${integer} not null references services (id),
  name text not null, status text not null check (status in ('Pending', 'Active', 'Cancelled', 'Ended')),
  price_cents ${integer} not null, from_day ${integer} not null, until_day ${integer}, billed_until ${integer} not null,
  licence_key text, workflow_id text not null, created_at ${integer} not null)`,
    "create unique index licences_once on licences (service_id, name) where status <> 'Ended'",
    'create index licences_of_account on licences (account_id, service_id)',
  ],
};
