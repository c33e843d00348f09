import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { ring } from './ring.ts';

it('a ring holds the last bytes that were pushed, oldest first', () => {
  const chunk = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), chunk, fc.array(chunk), (capacity, initial, pushed) => {
      const bytesRing = ring(capacity, Buffer.from(initial));
      for (const bytes of pushed) bytesRing.push(Buffer.from(bytes));
      const all = Buffer.concat([initial, ...pushed]);
      assert.deepEqual(bytesRing.contents(), Buffer.from(all.subarray(Math.max(0, all.length - capacity))));
    }),
  );
});
