// Virtual machines, the hypervisors that run them, the templates they are installed from, and open VNC sessions.
import type { Migration } from './migration.ts';

export const machines: Migration = {
  name: '0010-machines',
  statements: ({ integer }) => [
    `create table nodes (
  name text primary key not null, driver text not null, settings text not null, revision ${integer} not null,
  name_servers text not null, next_look_at ${integer} not null, seen_at ${integer}, error text)`,
    `create table templates (
  value text primary key not null, name text not null, kind text not null check (kind in ('Xen', 'OpenVZ')),
  source text not null, position ${integer} not null)`,
    `create table machines (
  service_id ${integer} primary key not null references services (id), account_id ${integer} not null references accounts (id),
  vmid ${integer} not null unique, kind text not null check (kind in ('Xen', 'OpenVZ')),
  state text not null check (state in ('pending', 'ready')), reason text not null, wanted_node text,
  node text references nodes (name), member text, template text not null, vcpus ${integer} not null,
  memory_mb ${integer} not null, disk_gb ${integer} not null, bandwidth_gb ${integer} not null, mac text not null,
  power_state text check (power_state in ('on', 'off')), power_source text, power_seen_at ${integer}, power_error text,
  install_secret text, untidy ${integer} not null,
  traffic_month ${integer} not null, traffic_bytes ${integer} not null, counter_received ${integer} not null,
  counter_sent ${integer} not null, next_meter_at ${integer} not null)`,
    'create index machines_of_account on machines (account_id, vmid)',
    'create index machines_of_node on machines (node, vmid)',
    'create index machines_untidy on machines (service_id) where untidy = 1',
    'create index netblocks_of_service on netblocks (service_id, first) where service_id is not null',
    `create table screen_sessions (
  id text primary key not null, account_id ${integer} not null references accounts (id),
  service_id ${integer} not null references services (id), key_id ${integer} not null, address text not null,
  password text not null, expires_at ${integer} not null)`,
    'create index screen_sessions_of_service on screen_sessions (service_id)',
  ],
};
