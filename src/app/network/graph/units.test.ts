import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { bytesText, rateScale, rateText } from './units.ts';

describe('rates and amounts', () => {
  it('have three significant digits and the right prefix', () => {
    const written = [0, 7, 999, 1000, 1234, 45_678, 999_499, 999_501, 1e9, 1.5e9, 123_456_789_012].map(rateText);
    assert.deepEqual(written, [
      '0 bit/s',
      '7 bit/s',
      '999 bit/s',
      '1 kbit/s',
      '1.23 kbit/s',
      '45.7 kbit/s',
      '999 kbit/s',
      '1.00 Mbit/s',
      '1 Gbit/s',
      '1.50 Gbit/s',
      '123 Gbit/s',
    ]);
    assert.equal(bytesText(2_840_000_000_000), '2.84 TB');
  });
});

describe('the scale of rates', () => {
  it('has round labels in one unit', () => {
    const texts = (maxRate: number) => rateScale(maxRate).ticks.map(({ text }) => text);
    assert.deepEqual(texts(695e6), ['0', '200 Mbit/s', '400 Mbit/s', '600 Mbit/s', '800 Mbit/s']);
    assert.deepEqual(texts(1.02e9), ['0', '0.25 Gbit/s', '0.5 Gbit/s', '0.75 Gbit/s', '1 Gbit/s', '1.25 Gbit/s']);
    assert.deepEqual(texts(0), ['0', '0.2 kbit/s', '0.4 kbit/s', '0.6 kbit/s', '0.8 kbit/s', '1 kbit/s']);
  });

  it('covers any rate with two to six short labels', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e14, noNaN: true }), (maxRate) => {
        const { top, ticks } = rateScale(maxRate);
        assert.ok(top >= maxRate && (maxRate < 1000 || top <= maxRate * 2.001));
        assert.ok(ticks.length >= 3 && ticks.length <= 6);
        for (const { text } of ticks) assert.ok(text.length <= 11, text);
      }),
    );
  });
});
