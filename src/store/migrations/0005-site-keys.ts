// The hash that the site file last set for a key, so that applying the same file does not undo a rotation or
// revocation.
import type { Migration } from './migration.ts';

export const siteKeys: Migration = {
  name: '0005-site-keys',
  statements: () => [
    'alter table keys add column site_hash text',
    // Until now every start wrote the file's hash; a rotation since then moved it to the previous one.
    "update keys set site_hash = coalesce(previous_hash, secret_hash) where kind = 'key'",
  ],
};
