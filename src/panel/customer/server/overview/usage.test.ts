import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usagePercent, usageText } from './usage.ts';

test('usage is computed across units', () => {
  assert.equal(usagePercent('512 MB / 1024 MB'), 50);
  assert.equal(usagePercent('512 MB / 2 GB'), 25);
  assert.equal(usagePercent('0 GB / 1000 GB'), 0);
});

test('usage is capped at 100 percent, and undefined if the text cannot be parsed', () => {
  assert.equal(usagePercent('3 GB / 2 GB'), 100);
  for (const text of ['', 'Unknown', '1 GB / 0 GB', '1 GB / unlimited', ' / '])
    assert.equal(usagePercent(text), undefined, text);
});

test('a total of zero is no limit', () => {
  assert.equal(usageText('0 GB / 0 GB'), '0 GB, no limit');
  assert.equal(usageText('12.5 GB / 1000 GB'), '12.5 GB / 1000 GB');
  assert.equal(usageText('-'), '-');
});
