import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { encodeInPieces } from './text-pieces.ts';

describe('text in pieces', () => {
  it('is the same as the whole text in UTF-8, wherever it is divided', async () => {
    const part = fc.constantFrom('', 'a', 'é', '€', '😀', 'x'.repeat(65_535), '😀'.repeat(40_000));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), fc.boolean(), async (parts, isOne) => {
        const pieces = await encodeInPieces(isOne ? [parts.join('')] : parts);
        assert.ok(Buffer.concat(pieces).equals(Buffer.from(parts.join(''))));
        assert.ok(pieces.every(({ length }) => length > 0 && length <= 4 * 65_537));
      }),
      { numRuns: 50 },
    );
  });

  it('of a megabyte gives way to others about as often as it has pieces', async () => {
    let turns = 0;
    let isDone = false;
    const count = (): void => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const pieces = await encodeInPieces(['x'.repeat(2 ** 20)]);
    isDone = true;
    assert.equal(pieces.length, 16);
    assert.ok(turns >= 15, String(turns));
  });
});
