// What a server's firmware is: a boot is asked for, and a system chosen, in its way.
import type { Migration } from './migration.ts';

export const serverFirmware: Migration = {
  name: '0019-server-firmware',
  statements: () => [`alter table servers add column firmware text check (firmware in ('bios', 'uefi'))`],
};
