import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { fromStripeAmount, toStripeAmount } from './amounts.ts';

describe('amounts at Stripe', () => {
  test('are in the smallest unit of the currency', () => {
    assert.deepEqual(
      (['EUR', 'JPY', 'KWD'] as const).map((currency) => toStripeAmount(12_300, currency)),
      [12_300, 123, 123_000],
    );
    assert.throws(() => toStripeAmount(12_350, 'JPY'), RangeError);
  });

  test('are read as they were written', () => {
    const currency = fc.constantFrom('EUR', 'USD', 'JPY', 'KWD');
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), currency, (units, code) => {
        const cents = units * 100;
        assert.equal(fromStripeAmount(toStripeAmount(cents, code), code.toLowerCase()), cents);
      }),
    );
  });
});
