import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { contains, createEnclosing } from './delivery.ts';

test('the networks around a range are found without looking at all of them', () => {
  const network = fc
    .tuple(fc.nat({ max: 255 }), fc.nat({ max: 8 }))
    .map(([address, bits]) => rangeOf((address >> bits) << bits, (address >> bits) * 2 ** bits + 2 ** bits - 1));
  const networks = fc.uniqueArray(network, { selector: ({ first, last }) => `${first} ${last}`, maxLength: 40 });
  fc.assert(
    fc.property(networks, network, (blocks, inner) => {
      const around = blocks.filter((block) => contains(block, inner));
      const smallestFirst = around.toSorted((left, right) => (contains(left, right) ? 1 : -1));
      assert.deepEqual(createEnclosing(blocks)(inner), smallestFirst);
    }),
  );
});

function rangeOf(first: number, last: number) {
  const text = (address: number): string => `4${address.toString(16).padStart(8, '0')}`;
  return { first: text(first), last: text(last) };
}
