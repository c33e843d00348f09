// When services can end at the earliest, in cases worked by hand and for any terms.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { dayNumber, dayNumberText } from '#lib/time.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import { termsOf } from '../billing/plan-terms.ts';
import { earliestEnd, minimumEnd } from './minimum-terms.ts';

const day = (text: string): number => dayNumber(text)!;

function term(id: number, from: string, more: Partial<ServiceTerm> = {}): ServiceTerm {
  const columns = termsOf({ name: 'Plan', price: '10.00', cycle: 'monthly' });
  return { ...columns, id, from_day: day(from), anchor_day: day(from), until_day: null, ...more } as ServiceTerm;
}

describe('the earliest end', () => {
  const cases: readonly [what: string, terms: Partial<ServiceTerm>, today: string, lastDay: string][] = [
    ['is the end of the month that is paid for', {}, '2026-03-10', '2026-03-31'],
    ['is today on the last day of a month', {}, '2026-03-31', '2026-03-31'],
    ['is the end of the quarter, counted from the start', { cycle_months: 3 }, '2026-05-02', '2026-07-31'],
    ['is the end of the year', { cycle_months: 12 }, '2026-05-02', '2027-01-31'],
    ['is not before the minimum term', { min_months: 6 }, '2026-03-10', '2026-08-31'],
    ['is the end of the paid month after the minimum term', { min_months: 2 }, '2026-09-10', '2026-09-30'],
    ['of an hourly plan is today', { hour_price: 100 }, '2026-03-10', '2026-03-10'],
    [
      'of an hourly plan is not before its minimum term',
      { hour_price: 100, min_months: 2 },
      '2026-03-10',
      '2026-04-14',
    ],
  ];
  for (const [what, more, today, lastDay] of cases)
    it(what, () => {
      const current = term(1, '2026-02-15', more);
      assert.equal(dayNumberText(earliestEnd([current], current, day(today), 1) - 1), lastDay);
    });

  it('counts the minimum term from the day of the plan, whatever its prices became', () => {
    const first = term(1, '2026-01-01', { plan: 'Other', until_day: day('2026-02-10') });
    const second = term(2, '2026-02-10', { until_day: day('2026-03-05'), min_months: 3 });
    const third = term(3, '2026-03-05', { price_cents: 500, min_months: 3 });
    assert.equal(dayNumberText(minimumEnd([first, second, third], third)), '2026-05-10');
  });

  it('stands for a day that a month does not have', () => {
    const current = term(1, '2026-12-31', { min_months: 2 });
    assert.equal(dayNumberText(minimumEnd([current], current)), '2027-02-28');
  });

  it('is always in the future and the end of a cycle', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.constantFrom(1, 3, 12),
        fc.integer({ min: 0, max: 24 }),
        fc.integer({ min: 1, max: 28 }),
        (start, age, cycle_months, min_months, billDay) => {
          const from_day = day('2026-01-01') + start;
          const current = term(1, dayNumberText(from_day), { cycle_months, min_months });
          const end = earliestEnd([current], current, from_day + age, billDay);
          assert.ok(end > from_day + age && end >= minimumEnd([current], current));
          assert.equal(new Date(end * 86_400_000).getUTCDate(), billDay);
        },
      ),
    );
  });
});
