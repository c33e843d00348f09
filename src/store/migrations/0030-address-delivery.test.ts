// Blocks that were assigned before single addresses could be.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/support/folder.ts';
import { openSqlite } from '../engine/sqlite-handle.ts';
import { foundation } from './0001-foundation.ts';
import { dns } from './0007-dns.ts';
import { addresses } from './0009-addresses.ts';
import { addressDelivery } from './0030-address-delivery.ts';

const types = { id: 'integer primary key', integer: 'integer', bytes: 'blob', sortable: 'text' };

test('the migration takes every IPv4 address of an assigned block, and one piece of each IPv6 network', async () => {
  await using folder = await temporaryFolder('migration');
  const { database } = openSqlite(join(folder.path, 'hostyard.sqlite'));
  const apply = (statements: readonly string[]): void => statements.forEach((statement) => database.exec(statement));
  for (const migration of [foundation, dns, addresses]) apply(migration.statements(types, 'sqlite'));
  database.pragma('foreign_keys = off');
  const insert = database.prepare('insert into netblock_units values (?, ?)');
  const network = `620010db8${'0'.repeat(24)}`;
  for (const [unit, block] of [
    ['4c6120400', 1],
    ['4c6120404', 1],
    ['4c612040c', 2],
    [network, 3],
  ])
    insert.run(unit, block);
  apply(addressDelivery.statements(types, 'sqlite'));
  const units = database.prepare('select unit, netblock_id from netblock_units order by unit').all() as {
    unit: string;
    netblock_id: number;
  }[];
  assert.deepEqual(
    units.map(({ unit, netblock_id }) => `${unit} ${netblock_id}`),
    [
      ...Array.from({ length: 8 }, (_, index) => `4c612040${index} 1`),
      ...['c', 'd', 'e', 'f'].map((digit) => `4c612040${digit} 2`),
      `${network} 3`,
    ],
  );
  database.close();
});
