// The size that a volume is growing to, which counts towards the quota of its account from the start.
import type { Migration } from './migration.ts';

export const growingVolumes: Migration = {
  name: '0090-growing-volumes',
  statements: ({ integer }) => [`alter table volumes add column grows_to_gb ${integer}`],
};
