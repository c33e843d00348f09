// The share that a machine uses of what it has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from './usage.ts';

test('a share is told across units', () => {
  assert.equal(shareOf('512 MB / 1024 MB'), 50);
  assert.equal(shareOf('512 MB / 2 GB'), 25);
  assert.equal(shareOf('0 GB / 1000 GB'), 0);
});

test('more than all is all, and what cannot be told is not made up', () => {
  assert.equal(shareOf('3 GB / 2 GB'), 100);
  for (const text of ['', 'Unknown', '1 GB / 0 GB', '1 GB / unlimited', ' / '])
    assert.equal(shareOf(text), undefined, text);
});
