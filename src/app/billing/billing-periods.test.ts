import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { cycleContaining, dayOfMonth, monthContaining } from './billing-periods.ts';
import { dayNumber, dayNumberText } from '#lib/time.ts';

const day = fc.integer({ min: 10_000, max: 40_000 });
const billDay = fc.integer({ min: 1, max: 28 });

function texts({ from, until }: { from: number; until: number }): string[] {
  return [dayNumberText(from), dayNumberText(until)];
}

describe('the billing calendar', () => {
  it('has months from the billing day to the day before the next', () => {
    const monthOf = (bill: number, text: string) => texts(monthContaining(bill, dayNumber(text)!));
    assert.deepEqual(monthOf(1, '2026-02-28'), ['2026-02-01', '2026-03-01']);
    assert.deepEqual(monthOf(15, '2026-01-14'), ['2025-12-15', '2026-01-15']);
    assert.deepEqual(monthOf(15, '2026-01-15'), ['2026-01-15', '2026-02-15']);
    assert.deepEqual(monthOf(28, '2028-02-29'), ['2028-02-28', '2028-03-28']);
  });

  it('counts quarters and years from the month in which a service began', () => {
    const cycleOf = (months: number, text: string) =>
      texts(cycleContaining(10, dayNumber('2026-02-20')!, months, dayNumber(text)!));
    assert.deepEqual(cycleOf(3, '2026-02-20'), ['2026-02-10', '2026-05-10']);
    assert.deepEqual(cycleOf(3, '2026-05-10'), ['2026-05-10', '2026-08-10']);
    assert.deepEqual(cycleOf(12, '2027-02-09'), ['2026-02-10', '2027-02-10']);
  });

  it('covers every day once, whatever the billing day, the anchor and the cycle', () => {
    fc.assert(
      fc.property(billDay, day, fc.constantFrom(1, 3, 12), day, (bill, anchor, months, at) => {
        const cycle = cycleContaining(bill, anchor, months, at);
        assert.ok(cycle.from <= at && at < cycle.until);
        assert.equal(dayOfMonth(cycle.from), bill);
        assert.deepEqual(cycleContaining(bill, anchor, months, cycle.from), cycle);
        assert.deepEqual(cycleContaining(bill, anchor, months, cycle.until - 1), cycle);
        assert.equal(cycleContaining(bill, anchor, months, cycle.until).from, cycle.until);
      }),
    );
  });
});
