// What switches and hypervisors reported last, and the air that reaches each server, so that staff see it without waiting for
// equipment.
import type { Migration } from './migration.ts';

export const equipmentReports: Migration = {
  name: '0067-equipment-reports',
  statements: ({ integer }) => [
    // The summary is apart from the ports, so that a list of switches reads little.
    `create table switch_reports (
  switch text primary key not null references switches (name), read_at ${integer} not null, summary text not null,
  ports text not null)`,
    `alter table switches add column error_text text not null default ''`,
    `alter table nodes add column error_text text not null default ''`,
    `alter table nodes add column capacity text`,
    `alter table nodes add column capacity_at ${integer}`,
    `alter table server_sensors add column inlet_celsius ${integer}`,
  ],
};
