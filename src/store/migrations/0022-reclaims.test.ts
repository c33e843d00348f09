// Serial output that earlier releases stored in plain text is gone, also from the file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '#test/support/folder.ts';
import { openSqlite } from '../engine/sqlite-handle.ts';
import { foundation } from './0001-foundation.ts';
import { servers } from './0006-servers.ts';
import { reclaims } from './0022-reclaims.ts';

const types = { id: 'integer primary key', integer: 'integer', bytes: 'blob', sortable: 'text' };

test('the migration overwrites serial output in plain text', async () => {
  await using folder = await temporaryFolder('migration');
  const file = join(folder.path, 'hostyard.sqlite');
  const { database } = openSqlite(file);
  for (const migration of [foundation, servers])
    for (const statement of migration.statements(types, 'sqlite')) database.exec(statement);
  const output = Buffer.from('the former password\r\n'.repeat(10_000));
  database.pragma('foreign_keys = off');
  database.prepare(`insert into serial_lines values ('a', null, 0, null, 0, ?)`).run(output);
  database.pragma('wal_checkpoint(truncate)');
  assert.ok(readFileSync(file).includes('the former password'));
  for (const statement of reclaims.statements(types, 'sqlite').filter((text) => text.includes('serial_')))
    database.exec(statement);
  assert.equal(database.prepare('select count(*) from serial_lines').pluck().get(), 0);
  database.close();
  assert.ok(!readFileSync(file).includes('the former password'));
});
