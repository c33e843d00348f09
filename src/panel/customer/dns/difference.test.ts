import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceRows, differenceText, changeKind } from './difference.ts';

const line = (name: string, type: string, content: string, ttl = '3600') => ({ name, type, ttl, content });

test('a removed and an added record with the same name and type become one change', () => {
  const rows = differenceRows({
    removed: [line('a.example.net', 'A', '192.0.2.1'), line('b.example.net', 'A', '192.0.2.2')],
    added: [line('a.example.net', 'A', '192.0.2.9'), line('a.example.net', 'AAAA', '2001:db8::1')],
  });
  assert.deepEqual(
    rows.map((row) => [changeKind(row), row.name, row.type, row.before?.content, row.after?.content]),
    [
      ['changed', 'a.example.net', 'A', '192.0.2.1', '192.0.2.9'],
      ['removed', 'b.example.net', 'A', '192.0.2.2', undefined],
      ['added', 'a.example.net', 'AAAA', undefined, '2001:db8::1'],
    ],
  );
  assert.equal(differenceText(rows), '1 added, 1 changed, 1 removed');
});

test('if more records were added than removed, the rest are additions', () => {
  const rows = differenceRows({
    removed: [line('example.net', 'MX', '10 one.example.net')],
    added: [line('example.net', 'MX', '10 two.example.net'), line('example.net', 'MX', '20 three.example.net')],
  });
  assert.deepEqual(rows.map(changeKind), ['changed', 'added']);
});

test('an empty difference reads "no changes"', () => {
  assert.equal(differenceText(differenceRows({ added: [], removed: [] })), 'no changes');
});
