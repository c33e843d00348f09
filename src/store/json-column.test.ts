import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { jsonColumn } from './json-column.ts';

const column = jsonColumn('examples.disks', Type.Array(Type.Object({ serial: Type.String() })));

test('a JSON column decodes what it encoded', () => {
  assert.deepEqual(column.decode(column.encode([{ serial: 'S1' }])), [{ serial: 'S1' }]);
});

test('a JSON column accepts properties that another release wrote', () => {
  assert.deepEqual(column.decode('[{"serial":"S1","model":"M"}]'), [{ serial: 'S1', model: 'M' }]);
});

test('a JSON column rejects values that do not match its schema and names the column', () => {
  assert.throws(() => column.decode('[{"serial":1}]'), /^Error: examples\.disks holds JSON/);
  assert.throws(() => column.decode('[{"serial":'), SyntaxError);
});
