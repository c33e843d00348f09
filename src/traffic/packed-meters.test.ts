import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { Meter } from './meter.ts';
import { PackedMeters } from './packed-meters.ts';

const amount = fc.maxSafeNat();
const counter = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const plain = { noNullPrototype: true };
const anyMeter: fc.Arbitrary<Meter> = fc.record(
  {
    last: fc.record(
      { atMs: amount, upTimeTicks: amount, run: fc.string(), inOctets: counter, outOctets: counter },
      { ...plain, requiredKeys: ['atMs', 'upTimeTicks', 'inOctets', 'outOctets'] },
    ),
    open: fc.record(
      { startMs: amount, inBytes: amount, outBytes: amount, coveredMs: amount, marks: fc.nat(255) },
      plain,
    ),
    highestInBytes: amount,
    highestOutBytes: amount,
  },
  plain,
);
const series = 3;
const anyMeters = fc
  .array(
    fc.tuple(fc.nat(200), fc.tuple(...Array.from({ length: series }, () => fc.option(anyMeter, { nil: undefined })))),
  )
  .map((entries) => new Map(entries));

describe('packed meters', () => {
  it('are the same after unpacking, whichever they replace', () => {
    fc.assert(
      fc.property(anyMeters, anyMeters, (former, meters) => {
        const packed = new PackedMeters(series);
        const expected = new Map([...former, ...meters]);
        for (const [member, ofMember] of [...former, ...meters]) packed.set(member, ofMember);
        assert.deepEqual(new Set(packed.members), new Set(expected.keys()));
        for (const [member, ofMember] of expected) assert.deepEqual(packed.get(member), ofMember);
      }),
    );
  });
});
