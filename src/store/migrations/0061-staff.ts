// Staff's notes on customers, and indexes for their search.
import type { Engine } from '../store.ts';
import { createSearch, searchRemoves } from './0053-lists.ts';
import type { Migration } from './migration.ts';

/** In byte order, so that the beginning of a text finds it, too. */
function prefixIndex(engine: Engine, name: string, table: string, column: string): string {
  return `create index ${name} on ${table} (${column}${engine === 'postgres' ? ' collate "C"' : ''})`;
}

export const staff: Migration = {
  name: '0061-staff',
  statements: ({ id, integer }, engine) => [
    `create table account_notes (id ${id}, account_id ${integer} not null references accounts (id), operator text not null,
  text text not null, created_at ${integer} not null, changed_at ${integer})`,
    'create index account_notes_of_account on account_notes (account_id, id)',
    'create index machines_by_mac on machines (mac)',
    prefixIndex(engine, 'invoices_by_number_prefix', 'invoices', 'upper(number)'),
    prefixIndex(engine, 'servers_by_name_prefix', 'servers', 'name'),
    prefixIndex(engine, 'servers_by_serial_prefix', 'servers', 'lower(serial)'),
    `${prefixIndex(engine, 'switches_by_name_prefix', 'switches', 'lower(name)')} where removed_at is null`,
    prefixIndex(engine, 'zones_by_name_prefix', 'zones', 'name'),
    `create index servers_available on servers (name) where state = 'available' and removed_at is null`,
    'create index invoices_newest on invoices (account_id, id)',
    ...createSearch(engine, 'contacts', 'postal'),
  ],
  removes: searchRemoves,
};
