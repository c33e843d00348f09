// Which addresses a hypervisor lets each virtual machine use.
import type { Migration } from './migration.ts';

export const machineNetworks: Migration = {
  name: '0023-machine-networks',
  statements: () => ['alter table machines add column networks text'],
};
