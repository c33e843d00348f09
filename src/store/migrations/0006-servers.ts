// Servers with their BMCs, device locks, the users we create on BMCs, and consoles.
import type { Migration } from './migration.ts';

export const servers: Migration = {
  name: '0006-servers',
  statements: ({ integer, bytes }) => [
    `create table servers (
  name text primary key not null, bmc_driver text not null, bmc_settings text not null, bmc_revision ${integer} not null,
  bmc_model text not null, console_host text not null, parts text not null,
  power_state text check (power_state in ('on', 'off')), power_source text, power_seen_at ${integer}, power_error text,
  next_look_at ${integer} not null)`,
    'create index servers_by_look on servers (next_look_at)',
    `create table device_locks (
  device text primary key not null, holder text not null, purpose text not null, held_until ${integer} not null)`,
    `create table bmc_users (
  server text not null references servers (name), name text not null, service_id ${integer} not null, kind text not null,
  created_at ${integer} not null, expires_at ${integer}, primary key (server, name))`,
    `create table console_tickets (
  hash text primary key not null, account_id ${integer} not null references accounts (id), service_id ${integer} not null,
  key_id ${integer} not null, address text not null, expires_at ${integer} not null)`,
    `create table serial_lines (
  server text primary key not null references servers (name), holder text, held_until ${integer} not null, wanted_by text,
  wanted_until ${integer} not null, ring ${bytes} not null)`,
  ],
};
