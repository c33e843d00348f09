import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { addToDay, dayStartOf, PackedDayError, packDay, unpackDay } from './packed-day.ts';
import { daySeconds, emptySeries, intervalsPerDay, sampleMarks, putSamples, type Sample } from './series.ts';

const dayStart = Date.UTC(2026, 9, 31) / 1000;
const anySample: fc.Arbitrary<Sample> = fc.record({
  start: fc.integer({ min: 0, max: intervalsPerDay - 1 }).map((slot) => dayStart + slot * 300),
  inBytes: fc.oneof(fc.maxSafeNat(), fc.integer({ min: 0, max: 2 ** 31 - 1 })),
  outBytes: fc.maxSafeNat(),
  marks: fc.constantFrom(0, 0, 0, ...Object.values(sampleMarks)),
});

describe('a packed day of traffic', () => {
  it('survives packing, whatever was added in whatever order', () => {
    fc.assert(
      fc.property(fc.array(anySample, { maxLength: 40 }), (samples) => {
        const plain = emptySeries(dayStart, dayStart + daySeconds);
        let packed: Buffer | undefined;
        for (const sample of samples) {
          putSamples(plain, [sample]);
          packed = addToDay(packed, dayStart, [sample]);
        }
        const unpacked = emptySeries(dayStart, dayStart + daySeconds);
        if (packed !== undefined) unpackDay(packed, dayStart, unpacked);
        assert.deepEqual(unpacked.marks, plain.marks);
        for (const [index, mark] of plain.marks.entries()) {
          if (mark === sampleMarks.missing) continue;
          assert.equal(unpacked.inBytes[index], plain.inBytes[index]);
          assert.equal(unpacked.outBytes[index], plain.outBytes[index]);
        }
      }),
    );
  });

  it('fits into any part of a longer or shorter period', () => {
    const series = emptySeries(dayStart, dayStart + daySeconds);
    for (let slot = 0; slot < intervalsPerDay; slot++)
      putSamples(series, [{ start: dayStart + slot * 300, inBytes: slot * 1000, outBytes: slot, marks: 0 }]);
    const packed = packDay(series);
    fc.assert(
      fc.property(fc.integer({ min: -400, max: 400 }), fc.integer({ min: 0, max: 800 }), (from, length) => {
        const part = emptySeries(dayStart + from * 300, dayStart + (from + length) * 300);
        unpackDay(packed, dayStart, part);
        for (let index = 0; index < length; index++) {
          const isInside = from + index >= 0 && from + index < intervalsPerDay;
          assert.equal(part.marks[index], isInside ? 0 : sampleMarks.missing);
          assert.equal(part.inBytes[index], isInside ? (from + index) * 1000 : 0);
        }
      }),
    );
  });

  it('takes less than 6 bytes per sample and direction on a busy gigabit port, and almost none on an idle one', () => {
    const [busy, idle] = [emptySeries(dayStart, dayStart + daySeconds), emptySeries(dayStart, dayStart + daySeconds)];
    busy.inBytes.fill(37_500_000_000);
    busy.outBytes.fill(37_500_000_000);
    busy.marks.fill(sampleMarks.wrap);
    idle.marks.fill(0);
    assert.ok(packDay(busy).length / (2 * intervalsPerDay) < 6);
    assert.ok(packDay(idle).length < 10);
  });

  it('is short in the morning', () => {
    assert.equal(addToDay(undefined, dayStart, [{ start: dayStart, inBytes: 1, outBytes: 1, marks: 0 }]).length, 8);
  });

  it('is rejected if it is corrupt, and never read past its end', () => {
    const packed = addToDay(undefined, dayStart, [{ start: dayStart + 600, inBytes: 300, outBytes: 1, marks: 0 }]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 255 }), (at, value) => {
        const damaged = Buffer.from(packed);
        damaged[at] = value;
        if (damaged.equals(packed)) return;
        const read = () => unpackDay(damaged, dayStart, emptySeries(dayStart, dayStart + daySeconds));
        // Swapped widths have the same length, which cannot be detected.
        if (
          damaged.length === 6 + damaged.readUInt16LE(4) * (damaged[1]! + damaged[2]! + damaged[3]!) &&
          damaged[0] === 1
        )
          return;
        assert.throws(read, PackedDayError);
      }),
    );
    assert.throws(
      () => unpackDay(packed.subarray(0, -1), dayStart, emptySeries(dayStart, dayStart + 300)),
      PackedDayError,
    );
  });

  it('starts at midnight UTC', () => {
    assert.equal(dayStartOf(dayStart + 86_399), dayStart);
    assert.equal(dayStartOf(dayStart + 86_400), dayStart + 86_400);
  });
});
