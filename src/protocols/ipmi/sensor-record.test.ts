import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { decodePackedText } from './packed-text.ts';
import { convertReading, type Conversion } from './sensor-record.ts';

const plain: Conversion = {
  format: 'unsigned',
  multiplier: 1,
  offset: 0,
  offsetExponent: 0,
  resultExponent: 0,
  linearisation: 0,
};

describe('a raw reading', () => {
  it('is converted by multiplier, offset and exponents', () => {
    assert.equal(convertReading({ ...plain, multiplier: 6, resultExponent: -2 }, 201), 12.06);
    assert.equal(convertReading({ ...plain, multiplier: 2, offset: 5, offsetExponent: 1 }, 10), 70);
  });

  it('is signed if its format is', () => {
    assert.equal(convertReading({ ...plain, format: 'twosComplement' }, 0xf6), -10);
    assert.equal(convertReading({ ...plain, format: 'onesComplement' }, 0xf5), -10);
  });

  it('is linearised', () => {
    const values = [7, 8, 9, 10, 11].map((linearisation) => convertReading({ ...plain, linearisation }, 64));
    assert.deepEqual(values, [1 / 64, 4096, 262144, 8, 4]);
  });

  it('grows with the raw value if the multiplier is positive, in each format', () => {
    const factors = fc.record({
      format: fc.constantFrom('unsigned' as const, 'onesComplement' as const, 'twosComplement' as const),
      multiplier: fc.integer({ min: 1, max: 511 }),
      offset: fc.integer({ min: -512, max: 511 }),
      offsetExponent: fc.integer({ min: -8, max: 7 }),
      resultExponent: fc.integer({ min: -8, max: 7 }),
    });
    fc.assert(
      fc.property(factors, fc.integer({ min: 0, max: 126 }), (conversion, raw) => {
        const [low, high] = [raw, raw + 1].map((value) => convertReading({ ...plain, ...conversion }, value)!);
        const { multiplier, resultExponent } = conversion;
        const step = multiplier * 10 ** resultExponent;
        assert.ok(Math.abs(high! - low! - step) <= Math.abs(high!) * 1e-9 + step * 1e-6, `${high! - low!} ${step}`);
      }),
    );
  });

  it('has no value if it cannot be computed', () => {
    assert.equal(convertReading({ ...plain, linearisation: 0x70 }, 1), undefined);
    assert.equal(convertReading({ ...plain, format: 'none' }, 1), undefined);
    assert.equal(convertReading({ ...plain, linearisation: 7 }, 0), undefined);
  });
});

describe('packed text', () => {
  it('is read in all four encodings', () => {
    const sixBitIpmi = Buffer.from([0x83, 0x29, 0xdc, 0xa6]);
    assert.equal(decodePackedText(sixBitIpmi, 0)?.text, 'IPMI');
    assert.equal(decodePackedText(Buffer.from([0x42, 0x12, 0xb4]), 0)?.text, '12-4');
    assert.equal(decodePackedText(Buffer.from([0x02, 0xde, 0xad]), 0)?.text, 'dead');
    assert.equal(decodePackedText(Buffer.from([0xc2, 0x68, 0x69]), 0)?.text, 'hi');
  });

  it('that exceeds the bytes is undefined', () => {
    assert.equal(decodePackedText(Buffer.from([0xc5, 0x68]), 0), undefined);
  });
});
