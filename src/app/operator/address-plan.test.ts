// The plan of addresses against a slow count of single addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { largestFree } from '#kernel/address-pool.ts';
import { networkRange } from '#kernel/address-ranges.ts';
import { parseNetwork } from '#kernel/addresses.ts';
import { addressPlan, type Block } from './address-plan.ts';

const block = (cidr: string, isHeld: boolean): Block => ({ cidr, isHeld, ...networkRange(parseNetwork(cidr)!) });
const shown = (blocks: readonly Block[]) =>
  addressPlan(blocks).map(({ block: { cidr }, within, usedOfTenThousand, free }) => [
    cidr,
    within?.cidr,
    usedOfTenThousand,
    free,
  ]);

test('a block stands after what it lies in, and counts for all around it, once', () => {
  assert.deepEqual(
    shown([
      block('192.0.2.128/25', true),
      block('192.0.2.0/24', false),
      block('192.0.2.160/27', true),
      block('2001:db8::/48', false),
      block('2001:db8::10/124', true),
    ]),
    [
      ['192.0.2.0/24', undefined, 5000, 25],
      ['192.0.2.128/25', '192.0.2.0/24', 10_000, undefined],
      ['192.0.2.160/27', '192.0.2.128/25', 10_000, undefined],
      ['2001:db8::/48', undefined, 1, 49],
      ['2001:db8::10/124', '2001:db8::/48', 10_000, undefined],
    ],
  );
});

test('whatever is assigned of a block, what is used and what is free are as counted one by one', () => {
  const piece = fc
    .record({ length: fc.integer({ min: 26, max: 32 }), at: fc.integer({ min: 0, max: 127 }), isHeld: fc.boolean() })
    .map(({ length, at, isHeld }) => block(`192.0.2.${at & -(1 << (32 - length))}/${length}`, isHeld));
  fc.assert(
    fc.property(fc.uniqueArray(piece, { selector: ({ cidr }) => cidr, maxLength: 12 }), (pieces) => {
      const whole = block('192.0.2.0/25', false);
      const [{ usedOfTenThousand, free } = assert.fail()] = addressPlan([...pieces, whole]);
      const held = pieces.filter(({ isHeld }) => isHeld);
      const isIn =
        (at: number) =>
        ({ first, last }: Block) =>
          Number.parseInt(first.slice(-2), 16) <= at && at <= Number.parseInt(last.slice(-2), 16);
      const used = Array.from({ length: 128 }, (_, at) => held.some(isIn(at))).filter(Boolean).length;
      assert.equal(usedOfTenThousand, Math.floor((used * 10_000) / 128));
      const lengths = Array.from({ length: 8 }, (_, index) => 25 + index);
      assert.equal(free, used === 128 ? undefined : largestFree(whole, 32, lengths, pieces));
    }),
  );
});
