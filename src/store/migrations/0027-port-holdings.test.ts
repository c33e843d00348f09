// Which ports services had before holdings were recorded.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/support/folder.ts';
import { openSqlite } from '../engine/sqlite-handle.ts';
import { foundation } from './0001-foundation.ts';
import { network } from './0008-network.ts';
import { portHoldings } from './0027-port-holdings.ts';

const types = { id: 'integer primary key', integer: 'integer', bytes: 'blob', sortable: 'text' };

test('the migration gives a port to its service from its creation on, and the earlier traffic of other ports to nobody', async () => {
  await using folder = await temporaryFolder('migration');
  const { database } = openSqlite(join(folder.path, 'hostyard.sqlite'));
  const apply = (statements: readonly string[]): void => statements.forEach((statement) => database.exec(statement));
  for (const migration of [foundation, network]) apply(migration.statements(types, 'sqlite'));
  database.pragma('foreign_keys = off');
  const service = database.prepare(`insert into services values (?, 1, 'dedicated', '', '', ?, '', null, null, ?)`);
  service.run(1001, 'Active', 5000);
  service.run(1002, 'Terminated', 5000);
  const port = database.prepare(`insert into ports values (?, 'sw', ?, ?, '', 0)`);
  port.run(1, 1, 1001);
  port.run(2, 2, 1002);
  port.run(3, 3, null);
  apply(portHoldings.statements(types, 'sqlite'));
  const rows = database
    .prepare(
      'select port_id, service_id, held_from, held_until is not null as ended from port_holdings order by port_id',
    )
    .all();
  assert.deepEqual(rows, [
    { port_id: 1, service_id: 1001, held_from: 5000, ended: 0 },
    { port_id: 2, service_id: null, held_from: 0, ended: 1 },
    { port_id: 3, service_id: null, held_from: 0, ended: 1 },
  ]);
  database.close();
});
