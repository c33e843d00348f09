import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addToDay, dayStartOf, PackedDayError, packDay, unpackDay } from './packed-day.ts';
import { DAY_SECONDS, emptySeries, INTERVALS_PER_DAY, MARK, putSamples, type Sample } from './series.ts';

const DAY = Date.UTC(2026, 9, 31) / 1000;
const anySample: fc.Arbitrary<Sample> = fc.record({
  start: fc.integer({ min: 0, max: INTERVALS_PER_DAY - 1 }).map((slot) => DAY + slot * 300),
  inBytes: fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  outBytes: fc.maxSafeNat(),
  marks: fc.constantFrom(0, 0, 0, ...Object.values(MARK)),
});

describe('a packed day of traffic', () => {
  it('comes back as it was, whatever was added in whatever order', () => {
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 40 }), (samples) => {
        const plain = emptySeries(DAY, DAY + DAY_SECONDS);
        let packed: Buffer | undefined;
        for (const sample of samples) {
          putSamples(plain, [sample]);
          packed = addToDay(packed, DAY, [sample]);
        }
        const unpacked = emptySeries(DAY, DAY + DAY_SECONDS);
        if (packed !== undefined) unpackDay(packed, DAY, unpacked);
        assert.deepEqual(unpacked.marks, plain.marks);
        for (const [index, mark] of plain.marks.entries()) {
          if (mark === MARK.missing) continue;
          assert.equal(unpacked.inBytes[index], plain.inBytes[index]);
          assert.equal(unpacked.outBytes[index], plain.outBytes[index]);
        }
      }),
    );
  });

  it('fits into any part of a longer or a shorter time', () => {
    const day = emptySeries(DAY, DAY + DAY_SECONDS);
    for (let slot = 0; slot < INTERVALS_PER_DAY; slot++)
      putSamples(day, [{ start: DAY + slot * 300, inBytes: slot * 1000, outBytes: slot, marks: 0 }]);
    const packed = packDay(day);
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 800 }), (from, length) => {
        const part = emptySeries(DAY + from * 300, DAY + (from + length) * 300);
        unpackDay(packed, DAY, part);
        for (let index = 0; index < length; index++) {
          const isInside = from + index >= 0 && from + index < INTERVALS_PER_DAY;
          assert.equal(part.marks[index], isInside ? 0 : MARK.missing);
          assert.equal(part.inBytes[index], isInside ? (from + index) * 1000 : 0);
        }
      }),
    );
  });

  it('takes under 6 bytes a sample and direction on a busy gigabit port, and almost nothing on an idle one', () => {
    const [busy, idle] = [emptySeries(DAY, DAY + DAY_SECONDS), emptySeries(DAY, DAY + DAY_SECONDS)];
    busy.inBytes.fill(37_500_000_000);
    busy.outBytes.fill(37_500_000_000);
    busy.marks.fill(MARK.wrap);
    idle.marks.fill(0);
    assert.ok(packDay(busy).length / (2 * INTERVALS_PER_DAY) < 6);
    assert.ok(packDay(idle).length < 10);
  });

  it('is short in the morning', () => {
    assert.equal(addToDay(undefined, DAY, [{ start: DAY, inBytes: 1, outBytes: 1, marks: 0 }]).length, 8);
  });

  it('is refused when it is damaged, and cannot be read past its end', () => {
    const packed = addToDay(undefined, DAY, [{ start: DAY + 600, inBytes: 300, outBytes: 1, marks: 0 }]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const damaged = Buffer.from(packed);
        damaged[at] = value;
        if (damaged.equals(packed)) return;
        const read = () => unpackDay(damaged, DAY, emptySeries(DAY, DAY + DAY_SECONDS));
        // Widths that were only exchanged have the same length, and nothing of this size can tell.
        if (
          damaged.length === 6 + damaged.readUInt16LE(4) * (damaged[1]! + damaged[2]! + damaged[3]!) &&
          damaged[0] === 1
        )
          return;
        assert.throws(read, PackedDayError);
      }),
    );
    assert.throws(() => unpackDay(packed.subarray(0, -1), DAY, emptySeries(DAY, DAY + 300)), PackedDayError);
  });

  it('begins at midnight in UTC', () => {
    assert.equal(dayStartOf(DAY + 86_399), DAY);
    assert.equal(dayStartOf(DAY + 86_400), DAY + 86_400);
  });
});
