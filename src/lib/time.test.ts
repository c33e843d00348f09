import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { dayNumber, dayNumberText, dayOf, dayText, timeText } from './time.ts';

describe('moments', () => {
  it('are written in UTC, to the second', () => {
    assert.equal(timeText(Date.UTC(2026, 1, 3, 4, 5, 6, 999)), '2026-02-03 04:05:06');
    assert.equal(dayText(Date.UTC(2026, 11, 31, 23, 59, 59)), '2026-12-31');
  });

  it('survive being written and parsed as days', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 2_000_000 }), (day) => dayNumber(dayNumberText(day)) === day));
  });

  it('belong to the day they fall on', () => {
    const moment = fc.integer({ min: 0, max: 4_000_000_000_000 });
    fc.assert(fc.property(moment, (at) => dayNumberText(dayOf(at)) === dayText(at)));
  });

  it('are rejected if the calendar does not have them', () => {
    for (const text of [
      '2026-02-29',
      '2026-02-31',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '26-01-01',
      '2026-01-01 ',
      '',
    ])
      assert.equal(dayNumber(text), undefined, text);
    assert.notEqual(dayNumber('2028-02-29'), undefined);
  });
});
