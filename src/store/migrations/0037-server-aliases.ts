// Names of servers in the legacy API, for those whose own name does not have its form. A server without an alias has its own
// name there, as all existing servers do.
import type { Migration } from './migration.ts';

export const serverAliases: Migration = {
  name: '0037-server-aliases',
  statements: () => [
    'alter table servers add column alias text',
    'create unique index servers_by_alias on servers (alias)',
  ],
};
