// Who made each change of a zone. Versions from before have no author.
import type { Migration } from './migration.ts';

export const zoneAuthors: Migration = {
  name: '0063-zone-authors',
  statements: ({ integer }) => [
    `alter table zone_versions add column author_kind text`,
    // A contact or a key, which may have been deleted since.
    `alter table zone_versions add column author_id ${integer}`,
    `alter table zone_versions add column author_name text`,
  ],
};
