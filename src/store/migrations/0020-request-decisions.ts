// When and why an operator decided on a request for addresses.
import type { Migration } from './migration.ts';

export const requestDecisions: Migration = {
  name: '0020-request-decisions',
  statements: ({ integer }) => [
    `alter table netblock_requests add column decided_at ${integer}`,
    "alter table netblock_requests add column reason text not null default ''",
  ],
};
