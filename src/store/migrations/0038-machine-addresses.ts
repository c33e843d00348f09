// What virtual machines configure when they boot, so that a change of their addresses reaches existing ones. Unknown for
// machines that exist already: they are compared once.
import type { Migration } from './migration.ts';

export const machineAddresses: Migration = {
  name: '0038-machine-addresses',
  statements: () => ['alter table machines add column addresses_digest text'],
};
