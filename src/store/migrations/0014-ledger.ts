// The ledger and the other tables of billing: service terms, runs, receipts and reminders. Existing invoices, payments
// and credits become ledger entries, so that no balance changes.
import type { Migration } from './migration.ts';
import { appendOnly } from './append-only.ts';

const entry = 'insert into ledger (account_id, at, debit, credit, amount_cents, kind, invoice_id, reference)';
const ofInvoice = "'invoice', id, number from invoices where status <> 'Cancelled'";
const dayMs = 86_400_000;
/** All columns of an invoice except its status and time of payment. */
const issued =
  'id, account_id, number, day, due_day, subtotal_cents, credit_cents, tax_cents, tax2_cents, total_cents, ' +
  'tax_rate, tax_rate2, payment_method, notes, kind, corrects_id';
const lineSums = `from invoices join invoice_lines on invoice_lines.invoice_id = invoices.id where status <> 'Cancelled'
  group by invoices.id, invoices.account_id, day, number, type having sum(amount_cents)`;

export const ledger: Migration = {
  name: '0014-ledger',
  statements: ({ id, integer }, engine) => [
    `create table ledger (
  id ${id}, account_id ${integer} not null references accounts (id), at ${integer} not null,
  debit text not null, credit text not null, amount_cents ${integer} not null check (amount_cents > 0),
  kind text not null, invoice_id ${integer} references invoices (id), reference text not null, check (debit <> credit))`,
    'create index ledger_of_account on ledger (account_id, debit, credit, amount_cents)',
    `${entry} select id, created_at, 'opening', 'credit', credit_cents, 'opening', null, '' from accounts where credit_cents > 0`,
    `${entry} select id, created_at, 'credit', 'opening', -credit_cents, 'opening', null, '' from accounts where credit_cents < 0`,
    `${entry} select invoices.account_id, day * ${dayMs}, 'receivable', 'revenue:' || type, sum(amount_cents), 'invoice', invoices.id, number
  ${lineSums} > 0`,
    `${entry} select invoices.account_id, day * ${dayMs}, 'revenue:' || type, 'receivable', -sum(amount_cents), 'invoice', invoices.id, number
  ${lineSums} < 0`,
    ...['tax', 'tax2'].flatMap((tax) => [
      `${entry} select account_id, day * ${dayMs}, 'receivable', '${tax}', ${tax}_cents, ${ofInvoice} and ${tax}_cents > 0`,
      `${entry} select account_id, day * ${dayMs}, '${tax}', 'receivable', -${tax}_cents, ${ofInvoice} and ${tax}_cents < 0`,
    ]),
    `${entry} select account_id, day * ${dayMs}, 'opening', 'credit', credit_cents, ${ofInvoice} and credit_cents > 0`,
    `${entry} select account_id, day * ${dayMs}, 'credit', 'receivable', credit_cents, ${ofInvoice} and credit_cents > 0`,
    `${entry} select payments.account_id, payments.paid_at, 'paid:' || method, 'receivable', amount_cents, 'payment', invoice_id, reference
  from payments join invoices on invoices.id = invoice_id where status <> 'Cancelled' and amount_cents > 0`,
    `${entry} select payments.account_id, payments.paid_at, 'receivable', 'paid:' || method, -amount_cents, 'payment', invoice_id, reference
  from payments join invoices on invoices.id = invoice_id where status <> 'Cancelled' and amount_cents < 0`,
    ...appendOnly('ledger', engine),
    'alter table accounts drop column credit_cents',

    "alter table invoices add column kind text not null default 'Invoice' check (kind in ('Invoice', 'CreditNote'))",
    `alter table invoices add column corrects_id ${integer} references invoices (id)`,
    ...appendOnly('invoices', engine, `update of ${issued}`),
    ...appendOnly('invoice_lines', engine),
    "create index invoices_open on invoices (due_day) where status = 'Unpaid'",
    `create table invoice_numbers (series text primary key not null, last ${integer} not null)`,
    `create table invoice_notices (
  invoice_id ${integer} not null references invoices (id), kind text not null, account_id ${integer} not null references accounts (id),
  at ${integer} not null, primary key (invoice_id, kind))`,

    `create table receipts (
  id ${id}, account_id ${integer} not null references accounts (id), method text not null, reference text not null,
  amount_cents ${integer} not null check (amount_cents > 0), paid_at ${integer} not null, unique (method, reference))`,
    'create index receipts_of_account on receipts (account_id, id)',
    `alter table payments add column receipt_id ${integer} references receipts (id)`,
    ...appendOnly('payments', engine),
    ...appendOnly('receipts', engine),
    'create index netblock_holdings_of_account on netblock_holdings (account_id)',
    'create table payment_hooks (name text primary key not null, method text not null, secret text not null)',

    `create table billing_accounts (
  account_id ${integer} primary key not null references accounts (id), bill_day ${integer} not null,
  next_day ${integer}, last_day ${integer}, run_day ${integer}, revision ${integer} not null)`,
    'create index billing_accounts_due on billing_accounts (next_day)',
    `create table service_terms (
  id ${id}, account_id ${integer} not null references accounts (id), service_id ${integer} not null references services (id),
  plan text not null, price_cents ${integer} not null, setup_cents ${integer} not null, cycle_months ${integer} not null,
  committed_mbits ${integer}, mbit_price_cents ${integer} not null,
  addresses_included ${integer} not null, address_price_cents ${integer} not null,
  anchor_day ${integer} not null, from_day ${integer} not null, until_day ${integer}, billed_until ${integer})`,
    'create index service_terms_of_account on service_terms (account_id, service_id, from_day)',
    `create table charges (
  account_id ${integer} not null references accounts (id), period_day ${integer} not null, kind text not null, subject text not null,
  from_day ${integer} not null, until_day ${integer} not null, amount_cents ${integer} not null,
  invoice_id ${integer} not null references invoices (id), primary key (account_id, period_day, kind, subject, from_day))`,
    ...appendOnly('charges', engine),
    `create table billing_suspensions (
  account_id ${integer} primary key not null references accounts (id), since ${integer} not null, services text not null)`,
  ],
};
