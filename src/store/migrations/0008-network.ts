// Switches, ports and their traffic.
import type { Migration } from './migration.ts';

export const network: Migration = {
  name: '0008-network',
  statements: ({ id, integer, bytes }) => [
    `create table switches (
  name text primary key not null, driver text not null, settings text not null, revision ${integer} not null,
  next_poll_at ${integer} not null, last_poll_at ${integer}, poll_error text)`,
    'create index switches_by_poll on switches (next_poll_at)',
    `create table ports (
  id ${id}, switch text not null references switches (name), if_index ${integer} not null,
  service_id ${integer} references services (id), alias text not null, speed ${integer} not null, unique (switch, if_index))`,
    'create index ports_of_service on ports (service_id)',
    `create table meters (port_id ${integer} primary key not null references ports (id), meter text not null)`,
    `create table traffic_days (
  port_id ${integer} not null references ports (id), day_start ${integer} not null, packed ${bytes} not null,
  primary key (port_id, day_start))`,
    'create index traffic_days_by_day on traffic_days (day_start)',
  ],
};
