// The samples behind a chart or a bill as CSV, one line an interval, so that anyone can add them up and rank them again.
import { MARK, type Series, sampleAt } from '#kernel/traffic/series.ts';
import { rateOf } from '#kernel/traffic/statistics.ts';

const HEADER = 'start,unix,in_bytes,out_bytes,in_bits_per_second,out_bits_per_second,marks';

/** Intervals of which nothing is known have empty fields, not zeros. Marks are words with a space between them. */
export function trafficCsv(series: Series): string {
  const lines = Array.from(series.marks, (_, index) => {
    const { start, inBytes, outBytes, marks } = sampleAt(series, index);
    const isKnown = (marks & MARK.missing) === 0;
    const values = isKnown ? [inBytes, outBytes, rateOf(inBytes), rateOf(outBytes)] : ['', '', '', ''];
    return [`${new Date(start * 1000).toISOString().slice(0, 19)}Z`, start, ...values, markWords(marks)].join(',');
  });
  return `${[HEADER, ...lines].join('\r\n')}\r\n`;
}

/** Marks as words with a space between them. */
export function markWords(marks: number): string {
  if (marks === 0) return '';
  return Object.entries(MARK)
    .filter(([, bit]) => (marks & bit) !== 0)
    .map(([word]) => word)
    .join(' ');
}
