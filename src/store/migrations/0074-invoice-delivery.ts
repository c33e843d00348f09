// Delivery of e-invoices over a network, exchange rates with the tax of invoices in the seller's currency, evidence of
// where customers are, and an index for account statements.
import type { Migration } from './migration.ts';
import { allowErasure } from './0059-privacy.ts';
import { appendOnly } from './append-only.ts';

export const invoiceDelivery: Migration = {
  name: '0074-invoice-delivery',
  statements: ({ id, integer }, engine) => [
    "alter table account_taxes add column pdf text not null default 'automatic'",
    "alter table account_taxes add column delivery text not null default 'email'",
    `create table invoice_deliveries (id ${id}, account_id ${integer} not null references accounts (id),
  invoice_id ${integer} not null references invoices (id), attempt ${integer} not null, format text not null,
  state text not null check (state in ('queued', 'sent', 'delivered', 'rejected')), receiver text not null,
  reference text not null, reason text not null, problem text not null, queued_at ${integer} not null, sent_at ${integer},
  ended_at ${integer}, failing_since ${integer}, next_try_at ${integer})`,
    'create unique index invoice_deliveries_of_invoice on invoice_deliveries (invoice_id, attempt)',
    'create index invoice_deliveries_of_account on invoice_deliveries (account_id, id)',
    'create index invoice_deliveries_due on invoice_deliveries (next_try_at) where next_try_at is not null',
    'create index invoice_deliveries_by_state on invoice_deliveries (state, id)',
    `create table exchange_rates (currency text not null, day ${integer} not null, micros ${integer} not null,
  source text not null, at ${integer} not null, primary key (currency, day))`,
    `create table invoice_exchanges (invoice_id ${integer} primary key not null references invoices (id),
  account_id ${integer} not null, currency text not null, tax_cents ${integer} not null, rate text not null,
  rate_day ${integer} not null)`,
    `create table tax_evidence (account_id ${integer} not null references accounts (id), source text not null,
  country text not null, at ${integer} not null, primary key (account_id, source, country))`,
    "create index accounts_by_currency on accounts (currency) where status <> 'Closed'",
    'create index account_taxes_by_state on account_taxes (state, account_id)',
    'create index ledger_by_time on ledger (account_id, at)',
    ...appendOnly('invoice_exchanges', engine),
    ...allowErasure('invoice_exchanges', engine),
  ],
  removes: {
    'drop trigger': { harmless: 'it is created again in the same transaction, on a new table' },
    'create or replace function': { harmless: 'it is on a new table' },
  },
};
