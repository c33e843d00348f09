import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { allowedCores, parseCores } from './cores.ts';

test('a list of cores has single ones and ranges', () => {
  assert.deepEqual(parseCores('3'), [3]);
  assert.deepEqual(parseCores('0-2,5,8-9'), [0, 1, 2, 5, 8, 9]);
});

test('this process may use some cores', () => {
  assert.ok(allowedCores().length >= availableParallelism());
});
