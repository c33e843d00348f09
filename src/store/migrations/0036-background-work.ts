// What equipment said when background work failed, when a machine is created next, and serial output in blocks, so that a line of
// output costs one block instead of the whole history. `serial_history` and `serial_lines.held_until` stay for instances of
// earlier releases during an upgrade.
import type { Migration } from './migration.ts';

export const backgroundWork: Migration = {
  name: '0036-background-work',
  removes: { 'delete from serial_history': { harmless: 'The previous release starts a new history.' } },
  statements: ({ integer, bytes }) => [
    "alter table workflows add column detail text not null default ''",
    "alter table machines add column detail text not null default ''",
    `alter table machines add column attempts ${integer} not null default 0`,
    `alter table machines add column next_attempt_at ${integer} not null default 0`,
    "create index machines_by_attempt on machines (next_attempt_at) where state = 'pending'",
    "create index machines_unfiltered on machines (untidy) where state = 'ready' and networks is null",
    `create table serial_holders (instance text primary key not null, held_until ${integer} not null)`,
    `create table serial_output (
  server text not null references servers (name), slot ${integer} not null, service_id ${integer} not null,
  number ${integer} not null, output ${bytes} not null, primary key (server, slot))`,
    `insert into serial_output (server, slot, service_id, number, output)
  select server, 0, service_id, 0, output from serial_history`,
    'delete from serial_history',
  ],
};
