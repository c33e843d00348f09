// Sums of the revenue report.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { centsText, groupSums, revenueChart, type RevenueRow } from './revenue-data.ts';

const row = (month: string, plan: string, net: string): RevenueRow => ({
  month,
  plan,
  type: 'Hosting',
  currency: 'EUR',
  net,
  tax: '0.10',
  gross: '0.00',
});

describe('the revenue chart', () => {
  it('has a series for each plan, the largest first', () => {
    const rows = [row('2026-02', 'A', '1.00'), row('2026-01', 'B', '5.50'), row('2026-02', 'B', '-0.50')];
    const { months, series } = revenueChart(rows, (plan) => plan, 'Others');
    assert.deepEqual(months, ['2026-01', '2026-02']);
    assert.deepEqual(series, [
      { name: 'B', values: [5.5, -0.5] },
      { name: 'A', values: [0, 1] },
    ]);
  });

  it('puts the smallest of many plans together, and loses nothing', () => {
    const rows = Array.from({ length: 10 }, (_, index) => row('2026-01', `P${index}`, `${index + 1}.00`));
    const { series } = revenueChart(rows, (plan) => plan, 'Others');
    assert.equal(series.length, 7);
    assert.deepEqual(series.at(-1), { name: 'Others', values: [10] });
  });

  it('adds up cents exactly', () => {
    const rows = Array.from({ length: 3 }, () => row('2026-01', 'A', '0.10'));
    assert.deepEqual([...groupSums(rows, ({ plan }) => plan)], [['A', { net: 30, tax: 30 }]]);
    assert.equal(centsText(30), '0.30');
    assert.equal(centsText(-1205), '-12.05');
  });
});
