import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { temporaryFolder } from '#test/support/folder.ts';
import { toConnectionError } from './postgres-pool.ts';
import { isUnavailable, NoConnection } from './unavailable.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

test('SQLite is unavailable when its file is locked or its disk is full, and not when a statement is wrong', async () => {
  await using folder = await temporaryFolder('unavailable');
  const file = join(folder.path, 'test.sqlite');
  const database = new SQLite(file, { timeout: 0 });
  database.exec('create table things (name text primary key)');
  const other = new SQLite(file, { timeout: 0 });
  other.exec('begin immediate');
  assert.ok(isUnavailable(thrownBy(() => database.exec("insert into things values ('a')"))));
  other.exec('rollback');
  database.pragma('max_page_count = 1');
  const large = 'x'.repeat(100_000);
  assert.ok(isUnavailable(thrownBy(() => database.prepare('insert into things values (?)').run(large))));
  assert.ok(!isUnavailable(thrownBy(() => database.exec('insert into nowhere values (1)'))));
  database.close();
  other.close();
});

test('PostgreSQL is unavailable when it stops, starts or is full, and not when a statement is wrong', () => {
  const databaseError = (code: string) => Object.assign(new pg.DatabaseError('failed', 4, 'error'), { code });
  for (const code of ['57P01', '57P03', '53300', '53100', '58030']) assert.ok(isUnavailable(databaseError(code)), code);
  for (const code of ['23505', '42P01', '28P01']) assert.ok(!isUnavailable(databaseError(code)), code);
  assert.ok(isUnavailable(new Error('Connection terminated unexpectedly')));
});

test('PostgreSQL is unavailable when it cannot write its own files for a new connection', () => {
  const databaseError = (code: string) => Object.assign(new pg.DatabaseError('failed', 4, 'error'), { code });
  assert.ok(isUnavailable(toConnectionError(databaseError('XX000'))));
  assert.ok(!isUnavailable(databaseError('XX000')), 'during a statement');
  assert.ok(!isUnavailable(toConnectionError(databaseError('28P01'))), 'a wrong password');
});

test('a failed connection gives its reason in one sentence', () => {
  const reasons = [new Error('connect ECONNREFUSED 127.0.0.1:1'), new Error('connect ECONNREFUSED ::1:1')];
  const error = new NoConnection(new AggregateError(reasons));
  assert.equal(error.message, 'PostgreSQL does not respond: connect ECONNREFUSED 127.0.0.1:1');
  assert.ok(isUnavailable(error));
});

test('a connection without a password that PostgreSQL demands says how to give it', () => {
  const error = new NoConnection(new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'));
  assert.match(error.message, /^PostgreSQL demands a password/);
});
