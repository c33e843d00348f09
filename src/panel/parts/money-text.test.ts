import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { moneyText, subtractMoney } from './money-text.ts';
import { setCatalogue } from '../text/text.ts';

test('an amount follows its currency and separates thousands', () => {
  assert.equal(moneyText('194.27', '€'), '€194.27');
  assert.equal(moneyText('1234567.00', '€'), '€1,234,567.00');
  assert.equal(moneyText('999.90', '$'), '$999.90');
});

test('a credit has its sign before the currency', () => {
  assert.equal(moneyText('-4000.00', '€'), '−€4,000.00');
});

test('no digit of an amount is lost or added', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), fc.integer({ min: 0, max: 99 }), (whole, cents) => {
      const amount = `${whole}.${String(cents).padStart(2, '0')}`;
      assert.equal(moneyText(amount, '€').replaceAll(/[€,]/g, ''), amount);
    }),
  );
});

test('amounts are subtracted without rounding', () => {
  assert.equal(subtractMoney('194.27', '68.58', '130.69'), '-5.00');
  assert.equal(subtractMoney('90071992547409.93', '0.01'), '90071992547409.92');
  assert.equal(subtractMoney('0.00', '-0.05'), '0.05');
});

test('German has a comma for cents, points for thousands, and the currency at the end', () => {
  setCatalogue('de', {});
  try {
    assert.equal(moneyText('1234567.05', '€'), '1.234.567,05 €');
    assert.equal(moneyText('-4.00', 'CHF '), '−4,00 CHF');
  } finally {
    setCatalogue('en', {});
  }
});
