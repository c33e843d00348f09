// Network boots of servers: how a server is identified, and current and past reloads.
import type { Migration } from './migration.ts';

export const reloads: Migration = {
  name: '0012-reloads',
  statements: ({ id, integer }) => [
    'alter table servers add column uuid text',
    "alter table servers add column disks text not null default '[]'",
    'create unique index servers_by_uuid on servers (uuid)',
    'create table server_macs (mac text primary key not null, server text not null references servers (name))',
    'create index server_macs_of_server on server_macs (server)',
    'alter table netblocks add column gateway text',
    `create table reloads (
  id text primary key not null, workflow_id text not null, account_id ${integer} not null references accounts (id), service_id ${integer} not null,
  server text not null references servers (name), kind text not null, system text not null,
  status text not null, percent ${integer} not null, reason text not null, secret_hash text not null,
  open ${integer} not null, mac text, requested_at ${integer}, begun_at ${integer}, outcome text, message text not null,
  password_hash text, password_fetched ${integer} not null, new_password text, ssh_keys text not null,
  created_at ${integer} not null, ended_at ${integer})`,
    'create unique index reloads_by_secret on reloads (secret_hash)',
    // At most one at a time on a server.
    'create unique index reloads_under_way on reloads (server) where ended_at is null',
    'create index reloads_of_service on reloads (account_id, service_id, id)',
    `create table reload_log (
  id ${id}, reload_id text not null references reloads (id) on delete cascade, at ${integer} not null, status text not null,
  text text not null)`,
    'create index reload_log_of_reload on reload_log (reload_id, id)',
  ],
};
