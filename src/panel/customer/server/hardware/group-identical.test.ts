import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupIdentical } from './group-identical.ts';

test('identical texts become one line, in order of first appearance', () => {
  assert.deepEqual(groupIdentical(['8 GB', '16 GB', '8 GB']), [
    { text: '8 GB', count: 2 },
    { text: '16 GB', count: 1 },
  ]);
  assert.deepEqual(groupIdentical([]), []);
});
