import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchRows, addressTreeRows, visibleRows, type Block, type AddressTreeRow } from './address-tree.ts';

const block = (cidr: string, within: string, account = ''): Block => ({
  cidr,
  within,
  account,
  service: '',
  pool: '',
  origin: 'site',
  gateway: '',
  used: '0.00',
  free: '',
});
const rows = addressTreeRows([
  block('10.0.0.0/8', ''),
  block('10.1.0.0/16', '10.0.0.0/8'),
  block('10.1.2.0/24', '10.1.0.0/16', '7'),
  block('192.0.2.0/24', ''),
]);
const cidrs = (some: readonly AddressTreeRow[]): string[] => some.map(({ block: { cidr } }) => cidr);

test('a row has the depth of its block and the number of blocks below it', () => {
  assert.deepEqual(
    rows.map(({ depth, descendants }) => [depth, descendants]),
    [
      [0, 2],
      [1, 1],
      [2, 0],
      [0, 0],
    ],
  );
});

test('a folded block hides everything below it, at any depth', () => {
  assert.deepEqual(cidrs(visibleRows(rows, new Set(['10.0.0.0/8']))), ['10.0.0.0/8', '192.0.2.0/24']);
});

test('a search returns the matching blocks and the blocks that contain them', () => {
  assert.deepEqual(cidrs(searchRows(rows, '7')), ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24']);
  assert.deepEqual(cidrs(searchRows(rows, '192.0')), ['192.0.2.0/24']);
});
