import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyTables, digestRows, type CopyTarget, type Row } from './tables.ts';

/** A database in memory, with one table. */
function memoryTables(rows: Row[], insert: (row: Row) => Row | undefined = (row) => row, lastId = 2n): CopyTarget {
  return {
    columns: new Map([['notes', ['id', 'text', 'bytes']]]),
    rows: () => [rows],
    lastIds: async () => new Map([['notes', lastId]]),
    measure: async () => ({ rows: rows.length, bytes: 0 }),
    start: async () => void (rows.length = 0),
    insert: async (_table, _columns, added) => void rows.push(...added.map(insert).filter((row) => row !== undefined)),
    setLastId: async () => {},
    finish: async () => {},
  };
}

const rows: Row[] = [
  [1n, 'one', Buffer.from([1])],
  [2n, null, null],
];
const source = memoryTables(rows);

test('a copy that is equal is accepted', async () => {
  const copied = await copyTables(source, memoryTables([[9n, 'of a migration', null]]));
  assert.equal(copied.get('notes')!.rows, 2);
});

test('a copy that lacks a row, changes a value or type, or would reuse a number is rejected', async () => {
  const differs = { message: /table notes differs after the copy/ };
  const changes: ((row: Row) => Row | undefined)[] = [
    (row) => (row[0] === 2n ? undefined : row),
    (row) => row.with(1, 'two'),
    (row) => row.with(0, String(row[0])),
    (row) => row.with(1, row[1] ?? ''),
    (row) => row.with(2, row[2] === null ? null : Buffer.from([2])),
  ];
  for (const change of changes) await assert.rejects(copyTables(source, memoryTables([], change)), differs);
  await assert.rejects(copyTables(source, memoryTables([], undefined, 1n)), /would give number 2 again/);
  const other = { ...memoryTables([]), columns: new Map([['notes', ['id', 'text']]]) };
  await assert.rejects(copyTables(source, other), /the two databases differ in notes\.bytes/);
});

test('the digest depends on the rows, not on their order or on where one value ends', async () => {
  const digest = async (...list: Row[]) => (await digestRows([list])).digest;
  assert.equal(await digest(...rows), await digest(...rows.toReversed()));
  assert.notEqual(await digest(['a', 'b']), await digest(['a\0text 1 b', '']));
  assert.notEqual(await digest(rows[0]!, rows[0]!), await digest());
});
