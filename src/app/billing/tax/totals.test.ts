// The VAT breakdown adds up as EN 16931 demands.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { moneyShare } from '#lib/money.ts';
import type { TaxDecision } from './rules.ts';
import { taxSubtotals } from './totals.ts';

const standard = (rate: number): TaxDecision => ({ category: 'S', rate, country: 'EE', reason: '', reasonCode: '' });
const exempt = (reason: string): TaxDecision => ({ category: 'E', rate: 0, country: 'EE', reason, reasonCode: '' });

describe('the VAT breakdown', () => {
  it('rounds the tax of a rate once, not line by line', () => {
    const lines = [1, 2, 3].map(() => ({ cents: 3, tax: standard(2100) }));
    assert.deepEqual(taxSubtotals(lines), [{ ...standard(2100), baseCents: 9, taxCents: 2 }]);
  });

  it('separates rates, and joins the reasons of one category', () => {
    const lines = [
      { cents: 1000, tax: standard(2200) },
      { cents: 500, tax: exempt('Embassy') },
      { cents: 1000, tax: standard(2400) },
      { cents: 200, tax: exempt('Not subject') },
    ];
    assert.deepEqual(
      taxSubtotals(lines).map(({ rate, baseCents, taxCents, reason }) => [rate, baseCents, taxCents, reason]),
      [
        [2200, 1000, 220, ''],
        [0, 700, 0, 'Embassy; Not subject'],
        [2400, 1000, 240, ''],
      ],
    );
  });

  it('separates countries with the same rate', () => {
    const lines = ['EE', 'HR', 'EE'].map((country) => ({ cents: 100, tax: { ...standard(2400), country } }));
    assert.deepEqual(
      taxSubtotals(lines).map(({ country, baseCents }) => [country, baseCents]),
      [
        ['EE', 200],
        ['HR', 100],
      ],
    );
  });

  it('covers every cent once, and a credit note takes back exactly what its invoice charged', () => {
    const line = fc.record({
      cents: fc.integer({ min: -10_000_000, max: 100_000_000 }),
      tax: fc.constantFrom(standard(2100), standard(2550), exempt('Embassy')),
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const sum = (cents: readonly number[]): number => cents.reduce((total, part) => total + part, 0);
        const subtotals = taxSubtotals(lines);
        assert.equal(sum(subtotals.map(({ baseCents }) => baseCents)), sum(lines.map(({ cents }) => cents)));
        for (const { rate, baseCents, taxCents } of subtotals) assert.equal(taxCents, moneyShare(baseCents, rate));
        const note = taxSubtotals(lines.map((entry) => ({ ...entry, cents: -entry.cents })));
        for (const [index, { taxCents }] of note.entries()) assert.equal(taxCents + subtotals[index]!.taxCents, 0);
      }),
    );
  });
});
