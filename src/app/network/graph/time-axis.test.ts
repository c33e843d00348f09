import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { periodText, timeAxis } from './time-axis.ts';

const daySeconds = 86_400;
const at = (text: string) => Date.parse(text) / 1000;
const texts = (start: number, end: number) => timeAxis(start, end).ticks.map(({ text }) => text);

describe('the time axis', () => {
  it('shows the hours of a day, and its date at midnight', () => {
    const start = at('2026-10-15T14:10:00Z');
    assert.deepEqual(texts(start, start + daySeconds).slice(0, 6), [
      '16:00',
      '18:00',
      '20:00',
      '22:00',
      '16 Oct',
      '02:00',
    ]);
    assert.equal(timeAxis(start, start + daySeconds).labels, 'at');
  });

  it('names the days of a week, each in its middle', () => {
    const start = at('2026-10-05T00:00:00Z');
    assert.deepEqual(texts(start, start + 7 * daySeconds).slice(0, 2), ['Mon 5 Oct', 'Tue 6 Oct']);
    assert.equal(timeAxis(start, start + 7 * daySeconds).labels, 'between');
  });

  it('shows every third day of a month, and the months of a year', () => {
    const start = at('2026-10-01T00:00:00Z');
    assert.deepEqual(texts(start, start + 31 * daySeconds).slice(0, 3), ['1 Oct', '4 Oct', '7 Oct']);
    assert.deepEqual(texts(at('2025-11-10T00:00:00Z'), at('2026-10-10T00:00:00Z')).slice(0, 3), ['Dec', '2026', 'Feb']);
  });

  it('has a fitting number of labels within the chart, for any span', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2e9 }), fc.integer({ min: 300, max: 400 * daySeconds }), (start, span) => {
        const { ticks } = timeAxis(start, start + span);
        assert.ok(ticks.length <= 20, String(ticks.length));
        if (span >= 1800) assert.ok(ticks.length >= 1);
        for (const tick of ticks) assert.ok(tick.at >= start && tick.at <= start + span);
      }),
    );
  });

  it('describes the period', () => {
    assert.equal(periodText(at('2026-10-01T00:00:00Z'), at('2026-11-01T00:00:00Z')), '1 Oct 2026 – 31 Oct 2026, UTC');
    assert.equal(periodText(at('2026-10-15T00:00:00Z'), at('2026-10-16T00:00:00Z')), '15 Oct 2026, UTC');
    assert.equal(
      periodText(at('2026-10-15T14:10:00Z'), at('2026-10-16T14:10:00Z')),
      '15 Oct 2026 14:10 – 16 Oct 2026 14:10, UTC',
    );
  });
});
