// Maps that callers can fill drop their oldest entry when they are full (BoundedMap). One that is emptied instead lets an
// attacker erase everybody's counters by filling it.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const source = join(import.meta.dirname, '..', '..', 'src');
const emptiedWhenFull = /\.size >=? \w+\)\s*(?:\{\s*)?(?:\w+\.clear\(\)|forget\(\))/;
const evictedByHand = /\.delete\(\w+\.keys\(\)\.next\(\)/;

test('no map is emptied because it is full, or has its own eviction', () => {
  const found = globSync('**/*.ts', { cwd: source, exclude: ['lib/bounded-map.ts'] }).filter((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    return emptiedWhenFull.test(text) || evictedByHand.test(text);
  });
  assert.deepEqual(found, []);
});
