// Servers with their controllers, the locks on devices, the users that we made on controllers.
import type { Migration } from '../migrate.ts';

export const servers: Migration = {
  name: '0006-servers',
  statements: ({ integer }) => [
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
  created_at ${integer} not null, primary key (server, name))`,
  ],
};
