// Samples of all ports of a switch, or many machines of a hypervisor, in one row per reading, until they are merged into the
// rows of their days; and the meters of a whole device in one row.
import type { Migration } from './migration.ts';

export const sampleBlocks: Migration = {
  name: '0047-sample-blocks',
  statements: ({ id, integer, bytes }) => [
    `create table sample_blocks (
  id ${id}, kind text not null check (kind in ('port', 'machine')), device text not null, first_member ${integer} not null,
  last_member ${integer} not null, first_start ${integer} not null, last_start ${integer} not null, packed ${bytes} not null)`,
    // With what decides whether a row has to be read, because a device has many.
    `create index sample_blocks_of_device on sample_blocks
  (kind, device, id, first_member, last_member, first_start, last_start)`,
    `create table device_meters (
  kind text not null check (kind in ('port', 'machine')), device text not null, version ${integer} not null,
  meters ${bytes} not null, primary key (kind, device))`,
  ],
};
