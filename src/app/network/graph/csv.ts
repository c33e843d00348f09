// Formats samples as CSV, one line per interval, so that anyone can verify sums and ranks.
import { mapInSlices } from '#lib/slices.ts';
import { sampleMarks, type Series, sampleAt } from '#traffic/series.ts';
import { bitsPerSecond } from '#traffic/statistics.ts';

const csvHeader = 'start,unix,in_bytes,out_bytes,in_bits_per_second,out_bits_per_second,marks';

/** Intervals without data have empty fields, not zeros. */
export async function trafficCsv(series: Series): Promise<string> {
  const lines = await mapInSlices(series.marks.keys(), (index) => {
    const { start, inBytes, outBytes, marks } = sampleAt(series, index);
    const isKnown = (marks & sampleMarks.missing) === 0;
    const values = isKnown ? [inBytes, outBytes, bitsPerSecond(inBytes), bitsPerSecond(outBytes)] : ['', '', '', ''];
    return [`${new Date(start * 1000).toISOString().slice(0, 19)}Z`, start, ...values, markWords(marks)].join(',');
  });
  return `${[csvHeader, ...lines].join('\r\n')}\r\n`;
}

/** Returns the names of marks, separated by spaces. */
export function markWords(marks: number): string {
  if (marks === 0) return '';
  return Object.entries(sampleMarks)
    .filter(([, bit]) => (marks & bit) !== 0)
    .map(([word]) => word)
    .join(' ');
}
