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

  describe('after a change of plan', () => {
    const changed = (more: Partial<ServiceTerm>) => {
      const first = term(1, '2026-01-10', { until_day: day('2026-03-05'), min_months: 12 });
      const second = term(2, '2026-03-05', { plan: 'Big', price_cents: 2000, origin: 'order', own_price: 0, ...more });
      return dayNumberText(minimumEnd([first, second], second));
    };

    it('is not before the minimum term of the plan before, if the new one costs as much or more', () => {
      assert.equal(changed({}), '2027-01-10');
      assert.equal(changed({ price_cents: 1000 }), '2027-01-10');
      assert.equal(changed({ min_months: 3 }), '2027-01-10');
      assert.equal(changed({ min_months: 24 }), '2028-03-05');
    });

    it('is that of the new plan alone if staff agreed on a price, chose a cheaper one, or named it in the site file', () => {
      for (const more of [
        { own_price: 1 },
        { price_cents: 999 },
        { origin: 'site' },
        { from_day: day('2026-04-01') },
      ] as const)
        assert.equal(changed(more), more.from_day === undefined ? '2026-03-05' : '2026-04-01');
    });

    it('stays over several changes and changes of price', () => {
      const dearer = { origin: 'order', own_price: 0 } as const;
      const terms = [
        term(1, '2026-01-10', { until_day: day('2026-02-01'), min_months: 12 }),
        term(2, '2026-02-01', { until_day: day('2026-03-05'), min_months: 12, price_cents: 1100, ...dearer }),
        term(3, '2026-03-05', { until_day: day('2026-03-05'), plan: 'Big', price_cents: 2000, ...dearer }),
        term(4, '2026-03-05', { plan: 'Bigger', price_cents: 3000, ...dearer }),
      ];
      assert.equal(dayNumberText(minimumEnd(terms, terms[3]!)), '2027-01-10');
    });
  });

  it('is not counted anew for a machine that was restored after its last paid day', () => {
    const restored = (from: string) => {
      const first = term(1, '2026-01-10', { until_day: day('2027-03-01'), min_months: 12 });
      const second = term(2, from, { min_months: 12 });
      return dayNumberText(minimumEnd([first, second], second));
    };
    assert.equal(restored('2027-03-04'), '2027-01-10');
    assert.equal(restored('2027-03-05'), '2028-03-05');
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
