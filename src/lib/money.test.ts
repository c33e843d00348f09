import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { moneyCents, moneyPart, moneyShare, moneyText } from './money.ts';

const cents = fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 });

describe('money', () => {
  it('survives being written and parsed', () => {
    fc.assert(fc.property(cents, (amount) => moneyCents(moneyText(amount)) === (amount === 0 ? 0 : amount)));
  });

  it('has two places, and a sign only if it is negative', () => {
    const cases = [
      [0, '0.00'],
      [5, '0.05'],
      [-5, '-0.05'],
      [100, '1.00'],
      [-12_345, '-123.45'],
    ] as const;
    for (const [amount, text] of cases) assert.equal(moneyText(amount), text);
  });

  it('is parsed with one place or none, and rejected if it is not an amount', () => {
    assert.deepEqual(['1', '1.5', '-0', '007.10'].map(moneyCents), [100, 150, 0, 710]);
    for (const text of ['', '.5', '1.', '1.234', '1,00', '+1', '1e3', ' 1', '1 ', '0x1', 'NaN', '9'.repeat(14)])
      assert.equal(moneyCents(text), undefined, text);
  });

  it('is shared without fractions of a cent, rounded half away from zero in both directions', () => {
    assert.deepEqual(
      [moneyShare(5, 1000), moneyShare(-5, 1000), moneyShare(4, 1000), moneyShare(-4, 1000), moneyShare(11_131, 2100)],
      [1, -1, 0, 0, 2338],
    );
    fc.assert(
      fc.property(cents, fc.integer({ min: 0, max: 10_000 }), (amount, rate) => {
        const share = moneyShare(amount, rate);
        assert.equal(moneyShare(-amount, rate) + share, 0);
        const exact = BigInt(amount) * BigInt(rate);
        const apart = exact - BigInt(share) * 10_000n;
        assert.ok(apart <= 5000n && apart >= -5000n);
      }),
    );
  });

  it('adds up to the price to the cent however its days are divided', () => {
    assert.equal(moneyPart(8900, 18, 30, 30), 3560);
    assert.equal(moneyPart(-8900, 18, 30, 30), -3560);
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 400 }), fc.array(fc.nat(400)), (price, days, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, days)).toSorted((left, right) => left - right), days];
        const parts = places.slice(1).map((until, index) => moneyPart(price, places[index]!, until, days));
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          price,
        );
        for (const part of parts) assert.ok(price >= 0 ? part >= 0 : part <= 0);
      }),
    );
  });
});
