// Archives of everything about an account, and erasure. Tables that are append-only allow it for the rows of an account
// while that account is being erased, and for nothing else.
import type { Engine } from '../store.ts';
import type { Migration } from './migration.ts';

const lockedTables = [
  'audit',
  'invoices',
  'invoice_lines',
  'invoice_parties',
  'ledger',
  'payments',
  'receipts',
  'charges',
];
const isErasing = `exists (select 1 from erasures where erasures.account_id = old.account_id
  and erasures.status in ('Erasing', 'Purging'))`;

export const privacy: Migration = {
  name: '0059-privacy',
  statements: ({ id, integer, bytes }, engine) => [
    `create table account_exports (id ${id}, account_id ${integer} not null references accounts (id), operator text,
  reason text not null, status text not null, size_bytes ${integer} not null, error text not null,
  created_at ${integer} not null, ready_at ${integer}, expires_at ${integer} not null)`,
    `create index account_exports_of_account on account_exports (account_id, id)`,
    `create index account_exports_by_expiry on account_exports (expires_at)`,
    `create table account_export_parts (export_id ${integer} not null references account_exports (id) on delete cascade,
  position ${integer} not null, content ${bytes} not null, primary key (export_id, position))`,
    `create table erasures (account_id ${integer} primary key not null references accounts (id), status text not null,
  operator text, reason text not null, requested_at ${integer} not null, erase_at ${integer} not null,
  erased_at ${integer}, kept_until ${integer}, purged_at ${integer})`,
    `create index erasures_by_status on erasures (status, erase_at)`,
    ...lockedTables.flatMap((table) => allowErasure(table, engine)),
  ],
  removes: {
    'drop trigger': { harmless: 'it is created again in the same transaction, with one more exception' },
    'create trigger': { harmless: 'it replaces one that rejects more' },
    'create or replace function': { harmless: 'it rejects less than the one it replaces' },
  },
};

/** Lets the rows of an append-only table change while their account is being erased. */
export function allowErasure(table: string, engine: Engine): string[] {
  if (engine === 'postgres')
    return [
      `create or replace function ${table}_refuse() returns trigger language plpgsql as $$ begin
  if ${isErasing} then if tg_op = 'DELETE' then return old; end if; return new; end if;
  raise exception '${table} is append-only'; end $$`,
    ];
  return ['update', 'delete'].flatMap((act) => [
    `drop trigger ${table}_keeps_from_${act}`,
    `create trigger ${table}_keeps_from_${act} before ${act === 'update' ? changing(table) : act} on ${table} when not ${isErasing}
  begin select raise(abort, '${table} is append-only'); end`,
  ]);
}

/** What an invoice still changes is its status and when it was paid. */
function changing(table: string): string {
  const fixed = `id, account_id, number, day, due_day, subtotal_cents, credit_cents, tax_cents, tax2_cents, total_cents, tax_rate,
  tax_rate2, payment_method, notes, kind, corrects_id`;
  return table === 'invoices' ? `update of ${fixed}` : 'update';
}
