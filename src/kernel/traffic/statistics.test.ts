import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { monthAround, monthSoFar } from './month.ts';
import { emptySeries, MARK, putSamples, type Sample, type Series, sumSeries, UNMEASURED } from './series.ts';
import { percentileOf, statisticsOf } from './statistics.ts';

const START = Date.UTC(2026, 9, 1) / 1000;
const count = { attacks: 'count' } as const;
const anyMarks = fc.constantFrom(0, 0, 0, 0, ...Object.values(MARK));
const anyBytes = fc.integer({ min: 0, max: 37_500_000_000 });
const anyRow = fc.tuple(anyBytes, anyBytes, anyMarks);

function seriesOf(rows: readonly (readonly [number, number, number])[]): Series {
  const series = emptySeries(START, START + rows.length * 300);
  putSamples(
    series,
    rows.map(([inBytes, outBytes, marks], index): Sample => ({ start: START + index * 300, inBytes, outBytes, marks })),
  );
  return series;
}

/** By the definition: the smallest rate such that at least 95 of 100 rates are no higher. */
function naivePercentile(rates: readonly number[]): number {
  return Math.min(...rates.filter((rate) => rates.filter((other) => other <= rate).length * 100 >= rates.length * 95));
}

describe('the 95th percentile', () => {
  it('is the 19th of 20 rates, and the larger of in and out', () => {
    const series = seriesOf(
      Array.from({ length: 20 }, (_, index) => [300 * (index + 1), 150 * (index + 1), 0] as const),
    );
    assert.deepEqual(percentileOf(series, count), {
      inBitsPerSecond: 152,
      outBitsPerSecond: 76,
      bitsPerSecond: 152,
      intervals: 20,
    });
  });

  it('agrees with its definition for any samples', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 120 }), (rows) => {
        const measured = rows.filter(([, , marks]) => (marks & UNMEASURED) === 0);
        if (measured.length === 0) return;
        const naive = (direction: 0 | 1) =>
          Math.round((naivePercentile(measured.map((row) => row[direction])) * 8) / 300);
        const { inBitsPerSecond, outBitsPerSecond, bitsPerSecond, intervals } = percentileOf(seriesOf(rows), count);
        assert.equal(inBitsPerSecond, naive(0));
        assert.equal(outBitsPerSecond, naive(1));
        assert.equal(bitsPerSecond, Math.max(naive(0), naive(1)));
        assert.equal(intervals, measured.length);
      }),
    );
  });

  it('sums several ports per interval before it ranks', () => {
    const bursts = (at: number) =>
      seriesOf(Array.from({ length: 20 }, (_, index) => [index === at ? 3000 : 0, 0, 0] as const));
    assert.equal(percentileOf(bursts(3), count).bitsPerSecond, 0);
    assert.equal(percentileOf(sumSeries([bursts(3), bursts(4)]), count).bitsPerSecond, 80);
  });

  it('leaves attacks out where the operator says so', () => {
    const series = seriesOf([
      [300, 0, 0],
      [30_000, 0, MARK.attack],
    ]);
    assert.equal(percentileOf(series, count).bitsPerSecond, 800);
    assert.equal(percentileOf(series, { attacks: 'leave out' }).bitsPerSecond, 8);
  });
});

describe('totals and averages', () => {
  it('count the bytes of every interval that is known, and the time of no other', () => {
    const series = seriesOf([
      [300, 600, 0],
      [300, 0, MARK.gap],
      [0, 0, MARK.missing],
      [900, 30, MARK.wrap],
      [1, 1, MARK.reset],
    ]);
    const { percentile, ...rest } = statisticsOf(series, count);
    assert.equal(percentile.intervals, 2);
    assert.deepEqual(rest, {
      inBytes: 1501,
      outBytes: 631,
      totalBytes: 2132,
      inAverageBitsPerSecond: 10,
      outAverageBitsPerSecond: 4,
      inLastBitsPerSecond: 24,
      outLastBitsPerSecond: 1,
    });
  });

  it('are nothing where nothing is known', () => {
    assert.equal(statisticsOf(emptySeries(START, START + 3000), count).totalBytes, 0);
    assert.equal(statisticsOf(emptySeries(START, START), count).percentile.bitsPerSecond, 0);
  });
});

describe('the sum of ports', () => {
  it('is the sum of the bytes, and missing only where all are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyRow, anyRow), { minLength: 1, maxLength: 40 }), (rows) => {
        const [one, two] = [seriesOf(rows.map(([row]) => row)), seriesOf(rows.map(([, row]) => row))];
        const sum = sumSeries([one, two]);
        for (let index = 0; index < rows.length; index++) {
          assert.equal(sum.inBytes[index], one.inBytes[index]! + two.inBytes[index]!);
          const missing = [one, two].every((port) => port.marks[index] === MARK.missing);
          assert.equal(sum.marks[index] === MARK.missing, missing);
        }
      }),
    );
  });

  it('refuses ports of different times', () => {
    assert.throws(() => sumSeries([emptySeries(START, START + 300), emptySeries(START, START + 600)]), RangeError);
  });
});

describe('the month so far', () => {
  const { start, end } = monthAround(START + 20 * 86_400);
  const monthOf = (rateOf: (index: number) => number, now: number) => {
    const month = emptySeries(start, end);
    for (let index = 0; start + index * 300 < now; index++)
      putSamples(month, [{ start: start + index * 300, inBytes: rateOf(index) * 37.5, outBytes: 0, marks: 0 }]);
    return month;
  };

  it('is the calendar month in UTC', () => {
    assert.deepEqual([start, end], [Date.UTC(2026, 9, 1) / 1000, Date.UTC(2026, 10, 1) / 1000]);
    assert.equal(monthAround(Date.UTC(2026, 11, 31, 23, 59) / 1000).end, Date.UTC(2027, 0, 1) / 1000);
  });

  it('projects the same 95th from a steady month', () => {
    const now = start + 10 * 86_400;
    const { soFar, projectedBitsPerSecond } = monthSoFar(
      monthOf((index) => index % 288, now),
      now,
      count,
    );
    assert.equal(projectedBitsPerSecond, soFar.bitsPerSecond);
  });

  it('projects from the last week once traffic has grown', () => {
    const now = start + 20 * 86_400;
    const grown = monthOf((index) => (index < 13 * 288 ? 100 : 900), now);
    assert.equal(monthSoFar(grown, now, count).projectedBitsPerSecond, 900);
  });

  it('counts the intervals that may still burst: 446 in a month of 31 days', () => {
    const now = start + 86_400;
    const month = monthOf((index) => (index < 100 ? 500 : 10), now);
    const { burst, leastBitsPerSecond } = monthSoFar(month, now, { ...count, levelBitsPerSecond: 100 });
    assert.deepEqual(burst, { levelBitsPerSecond: 100, allowed: 446, used: 100, left: 346 });
    assert.equal(leastBitsPerSecond, 0);
  });

  it('at its end is the 95th itself', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 50, maxLength: 50 }), (rates) => {
        const month = monthOf((index) => rates[index % 50]!, end);
        const { soFar, projectedBitsPerSecond, leastBitsPerSecond } = monthSoFar(month, end, count);
        assert.equal(projectedBitsPerSecond, soFar.bitsPerSecond);
        assert.equal(leastBitsPerSecond, soFar.bitsPerSecond);
      }),
      { numRuns: 10 },
    );
  });

  it('of an empty month is nothing', () => {
    assert.equal(monthSoFar(emptySeries(start, end), start, count).projectedBitsPerSecond, 0);
  });
});
