// Holds of dunning, credit notes for single lines, and indexes for reports over all accounts.
import type { Migration } from './migration.ts';

export const receivables: Migration = {
  name: '0073-receivables',
  statements: ({ integer }) => [
    `create table dunning_holds (account_id ${integer} primary key not null references accounts (id),
  since ${integer} not null, operator text not null, reason text not null)`,
    `alter table invoice_lines add column corrects_line_id ${integer}`,
    'create index invoices_by_status on invoices (status, id)',
    'create index invoices_by_day on invoices (day, id)',
    'create index payments_by_time on payments (paid_at, id)',
    'create index ledger_in_order on ledger (at, id)',
  ],
};
