// Compares the address plan with a slow count of single addresses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { largestFree } from '../network/address-pool.ts';
import { networkRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { createAddressPlan, type Block } from './address-plan.ts';

const block = (cidr: string, isHeld: boolean): Block => ({ cidr, isHeld, ...networkRange(parseNetwork(cidr)!) });
const plan = (blocks: readonly Block[]) =>
  createAddressPlan(blocks).map(({ block: { cidr }, within, usedOfTenThousand, free }) => [
    cidr,
    within?.cidr,
    usedOfTenThousand,
    free,
  ]);

test('a block follows the block that contains it, and counts once for every block around it', () => {
  assert.deepEqual(
    plan([
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

test('used and free space match a count address by address, whatever is assigned', () => {
  const piece = fc
    .record({ length: fc.integer({ min: 26, max: 32 }), at: fc.integer({ min: 0, max: 127 }), isHeld: fc.boolean() })
    .map(({ length, at, isHeld }) => block(`192.0.2.${at & -(1 << (32 - length))}/${length}`, isHeld));
  fc.assert(
    fc.property(fc.uniqueArray(piece, { selector: ({ cidr }) => cidr, maxLength: 12 }), (pieces) => {
      const whole = block('192.0.2.0/25', false);
      const [{ usedOfTenThousand, free } = assert.fail()] = createAddressPlan([...pieces, whole]);
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
