// The firmware of servers, which decides how they boot and which systems they can boot.
import type { Migration } from './migration.ts';

export const serverFirmware: Migration = {
  name: '0019-server-firmware',
  statements: () => [`alter table servers add column firmware text check (firmware in ('bios', 'uefi'))`],
};
