// Ranges of a file, as clients request them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { parseByteRange } from './byte-range.ts';

describe('a range of bytes', () => {
  it('is the requested one, within the file', () => {
    assert.deepEqual(parseByteRange('bytes=0-9', 100), { first: 0, last: 9 });
    assert.deepEqual(parseByteRange('bytes=90-', 100), { first: 90, last: 99 });
    assert.deepEqual(parseByteRange('bytes=-10', 100), { first: 90, last: 99 });
    assert.deepEqual(parseByteRange('bytes=90-500', 100), { first: 90, last: 99 });
    assert.equal(parseByteRange('bytes=100-', 100), 'unsatisfiable');
    assert.equal(parseByteRange('bytes=-0', 100), 'unsatisfiable');
    for (const other of [undefined, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'items=0-1'])
      assert.equal(parseByteRange(other, 100), undefined);
  });

  it('never exceeds the file', () => {
    const number = fc.oneof(fc.constant(''), fc.nat(300).map(String));
    fc.assert(
      fc.property(number, number, fc.nat(200), (from, to, size) => {
        const range = parseByteRange(`bytes=${from}-${to}`, size);
        if (range === undefined || range === 'unsatisfiable') return;
        assert.ok(range.first >= 0 && range.first <= range.last && range.last < size);
      }),
    );
  });
});
