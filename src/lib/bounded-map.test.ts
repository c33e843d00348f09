import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

describe('a bounded map', () => {
  test('drops the entry that was set the longest ago, and no other', () => {
    const map = new BoundedMap<string, number>(3);
    map.set('a', 1).set('b', 2).set('c', 3);
    map.set('a', 4);
    map.set('d', 5);
    assert.deepEqual(
      [...map],
      [
        ['c', 3],
        ['a', 4],
        ['d', 5],
      ],
    );
  });

  test('never has more entries than its limit', () => {
    const map = new BoundedMap<number, true>(10);
    for (let key = 0; key < 1000; key++) {
      map.set(key, true);
      assert.ok(map.size <= 10);
      assert.ok(map.has(key));
    }
  });
});
