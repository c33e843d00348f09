// The event log, webhooks and their deliveries.
import type { Migration } from './migration.ts';

export const events: Migration = {
  name: '0003-events',
  statements: ({ id, integer }, engine) => [
    // In the row of the audit chain's tip, so that a change locks one row of its account and not two.
    `alter table audit_tips add column events ${integer} not null default 0`,
    `create table events (
  account_id ${integer} not null references accounts (id), sequence ${integer} not null, type text not null,
  version ${integer} not null, service_id ${integer}, data text not null, at ${integer} not null,
  primary key (account_id, sequence))${engine === 'sqlite' ? ' without rowid' : ''}`,
    `create table webhooks (
  id ${id}, account_id ${integer} not null references accounts (id), url text not null, description text not null,
  events text not null, status text not null check (status in ('Active', 'Off')), reason text not null,
  secret text not null, previous_secret text, previous_until ${integer}, created_at ${integer} not null)`,
    'create index webhooks_of_account on webhooks (account_id, id)',
    `create table deliveries (
  id ${id}, account_id ${integer} not null references accounts (id),
  webhook_id ${integer} not null references webhooks (id) on delete cascade, lane ${integer} not null,
  sequence ${integer} not null, status text not null check (status in ('Pending', 'Delivered', 'Failed')),
  attempts ${integer} not null, next_at ${integer} not null, last_at ${integer}, answer ${integer}, error text not null,
  replay_of ${integer}, created_at ${integer} not null)`,
    'create index deliveries_of_account on deliveries (account_id, id)',
    "create index deliveries_pending on deliveries (webhook_id, lane, id) where status = 'Pending'",
  ],
};
