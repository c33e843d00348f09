// Tax data of accounts, the answers of VAT registers, and the VAT breakdown of invoices. Invoices from before have none:
// their two rates stay where they are.
import type { Migration } from './migration.ts';
import { allowErasure } from './0059-privacy.ts';
import { appendOnly } from './append-only.ts';

const appended = ['invoice_taxes', 'vat_checks'];

export const tax: Migration = {
  name: '0068-tax',
  statements: ({ id, integer }, engine) => [
    `create table account_taxes (account_id ${integer} primary key not null references accounts (id),
  kind text not null check (kind in ('business', 'private')), vat_number text not null, reference text not null,
  endpoint text not null, attachment text not null, order_country text not null, state text not null,
  checked_at ${integer}, next_check_at ${integer}, failing_since ${integer}, override text not null,
  override_reason text not null, changed_at ${integer} not null)`,
    'create index account_taxes_by_check on account_taxes (next_check_at)',
    `create table vat_checks (id ${id}, account_id ${integer} not null references accounts (id), at ${integer} not null,
  vat_number text not null, state text not null, consultation text not null, register_name text not null,
  register_address text not null)`,
    'create index vat_checks_of_account on vat_checks (account_id, id)',
    `create table invoice_taxes (invoice_id ${integer} not null references invoices (id), position ${integer} not null,
  account_id ${integer} not null, category text not null, rate ${integer} not null, country text not null,
  reason text not null, reason_code text not null, base_cents ${integer} not null, tax_cents ${integer} not null,
  primary key (invoice_id, position))`,
    `alter table invoice_lines add column tax_position ${integer}`,
    ...appended.flatMap((table) => [...appendOnly(table, engine), ...allowErasure(table, engine)]),
  ],
  removes: {
    'drop trigger': { harmless: 'it is created again in the same transaction, on a new table' },
    'create or replace function': { harmless: 'it is on a new table' },
  },
};
