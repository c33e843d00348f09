// Counting alike things.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { counted } from './counted.ts';

test('alike things are one line, in the order in which they were first met', () => {
  assert.deepEqual(counted(['8 GB', '16 GB', '8 GB']), [
    { text: '8 GB', count: 2 },
    { text: '16 GB', count: 1 },
  ]);
  assert.deepEqual(counted([]), []);
});
