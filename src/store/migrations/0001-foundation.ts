// Accounts, contacts, services, invoices, keys, idempotent responses and the audit log.
import type { Migration } from './migration.ts';
import { appendOnly } from './append-only.ts';

const person = `firstname text not null, lastname text not null, companyname text not null, email text not null,
  address1 text not null, address2 text not null, city text not null, state text not null, postcode text not null,
  country text not null, phonenumber text not null, password_hash text`;

export const foundation: Migration = {
  name: '0001-foundation',
  statements: ({ id, integer }, engine) => [
    'create table meta (name text primary key not null, value text not null)',
    `create table accounts (
  id ${integer} primary key not null, ${person},
  status text not null check (status in ('Active', 'Suspended', 'Closed')),
  currency text not null, currency_prefix text not null, currency_suffix text not null,
  credit_cents ${integer} not null, created_at ${integer} not null,
  last_login_at ${integer}, last_login_address text, last_login_host text)`,
    `create table contacts (
  id ${id}, account_id ${integer} not null references accounts (id), ${person},
  subaccount ${integer} not null, permissions text not null,
  domainemails ${integer} not null, generalemails ${integer} not null, invoiceemails ${integer} not null,
  productemails ${integer} not null, supportemails ${integer} not null, affiliateemails ${integer} not null,
  status text not null, created_at ${integer} not null)`,
    'create index contacts_of_account on contacts (account_id, id)',
    `create table sign_ins (
  email text primary key not null, account_id ${integer} not null references accounts (id),
  contact_id ${integer} references contacts (id) on delete cascade)`,
    `create table services (
  id ${integer} primary key not null, account_id ${integer} not null references accounts (id),
  type text not null check (type in ('dedicated', 'vps', 'cloud')), name text not null, hostname text not null,
  status text not null check (status in ('Pending', 'Active', 'Suspended', 'Terminated')),
  ip text not null, server text unique, vmid ${integer} unique, created_at ${integer} not null)`,
    'create index services_of_account on services (account_id, id)',
    `create table invoices (
  id ${id}, account_id ${integer} not null references accounts (id), number text not null unique,
  day ${integer} not null, due_day ${integer} not null, paid_at ${integer},
  status text not null check (status in ('Unpaid', 'Paid', 'Cancelled')),
  subtotal_cents ${integer} not null, credit_cents ${integer} not null, tax_cents ${integer} not null,
  tax2_cents ${integer} not null, total_cents ${integer} not null, tax_rate ${integer} not null, tax_rate2 ${integer} not null,
  payment_method text not null, notes text not null)`,
    'create index invoices_of_account on invoices (account_id, status, id)',
    `create table invoice_lines (
  id ${id}, account_id ${integer} not null references accounts (id), invoice_id ${integer} not null references invoices (id),
  type text not null, service_id ${integer}, description text not null, amount_cents ${integer} not null, taxed ${integer} not null)`,
    'create index invoice_lines_of_invoice on invoice_lines (invoice_id, id)',
    `create table payments (
  id ${id}, account_id ${integer} not null references accounts (id), invoice_id ${integer} not null references invoices (id),
  amount_cents ${integer} not null, paid_at ${integer} not null, method text not null, reference text not null)`,
    'create index payments_of_invoice on payments (invoice_id, id)',
    'create index payments_of_account on payments (account_id, id)',
    `create table keys (
  id ${id}, account_id ${integer} references accounts (id), operator_role text,
  contact_id ${integer} references contacts (id) on delete cascade, kind text not null,
  printable_id text not null unique, secret_hash text not null, previous_hash text, previous_until ${integer},
  name text not null, scopes text not null, allow text not null, rate ${integer} not null, burst ${integer} not null,
  created_at ${integer} not null, expires_at ${integer}, revoked_at ${integer},
  last_used_at ${integer}, last_used_address text)`,
    'create index keys_of_account on keys (account_id, id)',
    `create table idempotency (
  account_id ${integer} not null references accounts (id), method text not null, path text not null, key text not null,
  fingerprint text not null, status ${integer}, body text, claimed_by text not null, claimed_until ${integer} not null,
  expires_at ${integer} not null, primary key (account_id, method, path, key))`,
    'create index idempotency_by_expiry on idempotency (expires_at)',
    `create table audit (
  id ${id}, account_id ${integer} not null references accounts (id), at ${integer} not null, address text not null,
  key_id ${integer}, contact_id ${integer}, operation text not null, target text not null, outcome text not null,
  request_id text not null, previous text not null, hash text not null)`,
    'create index audit_of_account on audit (account_id, id)',
    `create table audit_tips (account_id ${integer} primary key not null references accounts (id), hash text not null)`,
    ...appendOnly('audit', engine),
  ],
};
