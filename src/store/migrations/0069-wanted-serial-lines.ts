// Instances look for serial consoles that others want every other second, so that takes an index.
import type { Migration } from './migration.ts';

export const wantedSerialLines: Migration = {
  name: '0069-wanted-serial-lines',
  statements: () => [`create index serial_lines_wanted on serial_lines (wanted_until)`],
};
