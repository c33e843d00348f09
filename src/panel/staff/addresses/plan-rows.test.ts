// The tree of the plan of addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { found, planRows, unfolded, type Block, type PlanRow } from './plan-rows.ts';

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
const rows = planRows([
  block('10.0.0.0/8', ''),
  block('10.1.0.0/16', '10.0.0.0/8'),
  block('10.1.2.0/24', '10.1.0.0/16', '7'),
  block('192.0.2.0/24', ''),
]);
const names = (some: readonly PlanRow[]): string[] => some.map(({ block: { cidr } }) => cidr);

test('a block knows how deep it stands and how many stand below it', () => {
  assert.deepEqual(
    rows.map(({ depth, below }) => [depth, below]),
    [
      [0, 2],
      [1, 1],
      [2, 0],
      [0, 0],
    ],
  );
});

test('what is folded hides all below it, at any depth', () => {
  assert.deepEqual(names(unfolded(rows, new Set(['10.0.0.0/8']))), ['10.0.0.0/8', '192.0.2.0/24']);
});

test('a search leaves what it finds, with what that lies in', () => {
  assert.deepEqual(names(found(rows, '7')), ['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24']);
  assert.deepEqual(names(found(rows, '192.0')), ['192.0.2.0/24']);
});
