// Formats rates and amounts with decimal prefixes, as networks count.

const unitPrefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;

export function rateText(bitsPerSecond: number): string {
  return formatScaled(bitsPerSecond, 'bit/s');
}

export function bytesText(bytes: number): string {
  return formatScaled(bytes, 'B');
}

/** Three significant digits: 9.87 M, 98.7 M, 987 M. */
function formatScaled(value: number, unit: string): string {
  let [scaled, power] = [value, 0];
  // Values just below the next prefix use that prefix instead of 1000.
  while (scaled >= 999.5 && power < unitPrefixes.length - 1) {
    scaled /= 1000;
    power++;
  }
  const digits = power === 0 || scaled >= 99.95 ? 0 : scaled >= 9.995 ? 1 : 2;
  const isRound = power > 0 && Number.isInteger(scaled);
  return `${isRound ? scaled : scaled.toFixed(digits)} ${unitPrefixes[power]}${unit}`;
}

export interface RateScale {
  readonly top: number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

const stepSizes = [1, 2, 2.5, 5, 10];
const maxDivisions = 5;
/** An idle port gets an axis too. */
const minTop = 1000;

/** Returns an axis from 0 to a round number at or above `maxRate`, with a label at each step. */
export function rateScale(maxRate: number): RateScale {
  const highest = Math.max(maxRate, minTop);
  const rough = highest / maxDivisions;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * stepSizes.find((factor) => factor * magnitude >= rough)!;
  const divisions = Math.ceil(highest / step);
  const top = divisions * step;
  const power = unitPrefixes.findLastIndex((_, power) => 1000 ** power <= top);
  const text = (value: number) => (value === 0 ? '0' : `${value / 1000 ** power} ${unitPrefixes[power]}bit/s`);
  const values = Array.from({ length: divisions + 1 }, (_, index) => index * step);
  return { top, ticks: values.map((value) => ({ value, text: text(value) })) };
}
