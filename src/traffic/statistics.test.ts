import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { monthBounds, estimateMonth } from './month.ts';
import { emptySeries, sampleMarks, putSamples, type Sample, type Series, sumSeries, unmeasured } from './series.ts';
import { computePercentile, computeStatistics } from './statistics.ts';

const octoberStart = Date.UTC(2026, 9, 1) / 1000;
const count = { attacks: 'count' } as const;
const anyMarks = fc.constantFrom(0, 0, 0, 0, ...Object.values(sampleMarks));
const anyBytes = fc.integer({ min: 0, max: 37_500_000_000 });
const anyRow = fc.tuple(anyBytes, anyBytes, anyMarks);

function seriesOf(rows: readonly (readonly [number, number, number])[]): Series {
  const series = emptySeries(octoberStart, octoberStart + rows.length * 300);
  putSamples(
    series,
    rows.map(([inBytes, outBytes, marks], index): Sample => ({
      start: octoberStart + index * 300,
      inBytes,
      outBytes,
      marks,
    })),
  );
  return series;
}

/** By definition: the smallest rate such that at least 95 of 100 rates are no higher. */
function naivePercentile(rates: readonly number[]): number {
  return Math.min(...rates.filter((rate) => rates.filter((other) => other <= rate).length * 100 >= rates.length * 95));
}

describe('the 95th percentile', () => {
  it('is the 19th of 20 rates, and the larger of in and out', () => {
    const series = seriesOf(
      Array.from({ length: 20 }, (_, index) => [300 * (index + 1), 150 * (index + 1), 0] as const),
    );
    assert.deepEqual(computePercentile(series, count), {
      inBitsPerSecond: 152,
      outBitsPerSecond: 76,
      bitsPerSecond: 152,
      intervals: 20,
    });
  });

  it('matches its definition for any samples', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { minLength: 1, maxLength: 120 }), (rows) => {
        const measured = rows.filter(([, , marks]) => (marks & unmeasured) === 0);
        if (measured.length === 0) return;
        const naive = (direction: 0 | 1) =>
          Math.round((naivePercentile(measured.map((row) => row[direction])) * 8) / 300);
        const { inBitsPerSecond, outBitsPerSecond, bitsPerSecond, intervals } = computePercentile(
          seriesOf(rows),
          count,
        );
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
    assert.equal(computePercentile(bursts(3), count).bitsPerSecond, 0);
    assert.equal(computePercentile(sumSeries([bursts(3), bursts(4)]), count).bitsPerSecond, 80);
  });

  it("excludes attacks if the operator's policy says so", () => {
    const series = seriesOf([
      [300, 0, 0],
      [30_000, 0, sampleMarks.attack],
    ]);
    assert.equal(computePercentile(series, count).bitsPerSecond, 800);
    assert.equal(computePercentile(series, { attacks: 'leave out' }).bitsPerSecond, 8);
  });
});

describe('totals and averages', () => {
  it('count the bytes of every known interval, and no other time', () => {
    const series = seriesOf([
      [300, 600, 0],
      [300, 0, sampleMarks.gap],
      [0, 0, sampleMarks.missing],
      [900, 30, sampleMarks.wrap],
      [1, 1, sampleMarks.reset],
    ]);
    const { percentile, ...rest } = computeStatistics(series, count);
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

  it('are zero without data', () => {
    assert.equal(computeStatistics(emptySeries(octoberStart, octoberStart + 3000), count).totalBytes, 0);
    assert.equal(computeStatistics(emptySeries(octoberStart, octoberStart), count).percentile.bitsPerSecond, 0);
  });
});

describe('the sum of ports', () => {
  it('adds the bytes, and is missing only if all are', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyRow, anyRow), { minLength: 1, maxLength: 40 }), (rows) => {
        const [first, second] = [seriesOf(rows.map(([row]) => row)), seriesOf(rows.map(([, row]) => row))];
        const sum = sumSeries([first, second]);
        for (let index = 0; index < rows.length; index++) {
          assert.equal(sum.inBytes[index], first.inBytes[index]! + second.inBytes[index]!);
          const missing = [first, second].every((port) => port.marks[index] === sampleMarks.missing);
          assert.equal(sum.marks[index] === sampleMarks.missing, missing);
        }
      }),
    );
  });

  it('rejects ports of different periods', () => {
    assert.throws(
      () => sumSeries([emptySeries(octoberStart, octoberStart + 300), emptySeries(octoberStart, octoberStart + 600)]),
      RangeError,
    );
  });
});

describe('the month estimate', () => {
  const { start, end } = monthBounds(octoberStart + 20 * 86_400);
  const monthOf = (rateOf: (index: number) => number, now: number) => {
    const month = emptySeries(start, end);
    for (let index = 0; start + index * 300 < now; index++)
      putSamples(month, [{ start: start + index * 300, inBytes: rateOf(index) * 37.5, outBytes: 0, marks: 0 }]);
    return month;
  };

  it('covers the calendar month in UTC', () => {
    assert.deepEqual([start, end], [Date.UTC(2026, 9, 1) / 1000, Date.UTC(2026, 10, 1) / 1000]);
    assert.equal(monthBounds(Date.UTC(2026, 11, 31, 23, 59) / 1000).end, Date.UTC(2027, 0, 1) / 1000);
  });

  it('projects the same 95th percentile from steady traffic', () => {
    const now = start + 10 * 86_400;
    const { soFar, projectedBitsPerSecond } = estimateMonth(
      monthOf((index) => index % 288, now),
      now,
      count,
    );
    assert.equal(projectedBitsPerSecond, soFar.bitsPerSecond);
  });

  it('projects from the last week after traffic has grown', () => {
    const now = start + 20 * 86_400;
    const grown = monthOf((index) => (index < 13 * 288 ? 100 : 900), now);
    assert.equal(estimateMonth(grown, now, count).projectedBitsPerSecond, 900);
  });

  it('counts the intervals that may still burst: 446 in a month of 31 days', () => {
    const now = start + 86_400;
    const month = monthOf((index) => (index < 100 ? 500 : 10), now);
    const { burst, leastBitsPerSecond } = estimateMonth(month, now, { ...count, levelBitsPerSecond: 100 });
    assert.deepEqual(burst, { levelBitsPerSecond: 100, allowed: 446, used: 100, left: 346 });
    assert.equal(leastBitsPerSecond, 0);
  });

  it('equals the 95th percentile at the end', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 50, maxLength: 50 }), (rates) => {
        const month = monthOf((index) => rates[index % 50]!, end);
        const { soFar, projectedBitsPerSecond, leastBitsPerSecond } = estimateMonth(month, end, count);
        assert.equal(projectedBitsPerSecond, soFar.bitsPerSecond);
        assert.equal(leastBitsPerSecond, soFar.bitsPerSecond);
      }),
      { numRuns: 10 },
    );
  });

  it('is zero for an empty month', () => {
    assert.equal(estimateMonth(emptySeries(start, end), start, count).projectedBitsPerSecond, 0);
  });
});
