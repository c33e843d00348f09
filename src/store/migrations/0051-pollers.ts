// The instances that divide devices to poll among them. An instance of an earlier release is not listed.
import type { Migration } from './migration.ts';

export const pollers: Migration = {
  name: '0051-pollers',
  statements: ({ integer }) => [
    `create table pollers (instance text primary key not null, live_until ${integer} not null)`,
  ],
};
