// The last readings of servers' sensors, their faults, and the event logs of their BMCs.
import type { Migration } from './migration.ts';

export const sensors: Migration = {
  name: '0050-sensors',
  statements: ({ id, integer }) => [
    `create table server_sensors (
  server text primary key not null references servers (name), service_id ${integer}, readings text not null,
  read_at ${integer}, error text, faults text not null, fault_count ${integer} not null, celsius ${integer},
  rpm ${integer}, watts ${integer}, log_position text)`,
    'create index server_sensors_with_faults on server_sensors (server) where fault_count > 0',
    `create table server_log (
  id ${id}, server text not null references servers (name), service_id ${integer}, at ${integer},
  seen_at ${integer} not null, severity text not null, text text not null)`,
    'create index server_log_of_server on server_log (server, id)',
  ],
};
