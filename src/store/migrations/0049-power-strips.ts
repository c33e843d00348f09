// Power strips, and the outlets that servers are plugged into.
import type { Migration } from './migration.ts';

export const powerStrips: Migration = {
  name: '0049-power-strips',
  statements: ({ integer }) => [
    `create table pdus (name text primary key not null, driver text not null, settings text not null,
  revision ${integer} not null, removed_at ${integer})`,
    `alter table servers add column outlets text not null default '[]'`,
  ],
};
