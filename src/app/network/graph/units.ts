// Rates and amounts as people write them, in powers of a thousand as networks count.

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const;

export function rateText(bitsPerSecond: number): string {
  return scaled(bitsPerSecond, 'bit/s');
}

export function bytesText(bytes: number): string {
  return scaled(bytes, 'B');
}

/** Three digits that matter: 9.87 M, 98.7 M, 987 M. */
function scaled(value: number, unit: string): string {
  let [rest, power] = [value, 0];
  // Just below the next prefix is written as the next one, not as 1000.
  while (rest >= 999.5 && power < PREFIXES.length - 1) {
    rest /= 1000;
    power++;
  }
  const digits = power === 0 || rest >= 99.95 ? 0 : rest >= 9.995 ? 1 : 2;
  const isRound = power > 0 && Number.isInteger(rest);
  return `${isRound ? rest : rest.toFixed(digits)} ${PREFIXES[power]}${unit}`;
}

export interface RateScale {
  readonly top: number;
  readonly ticks: readonly { readonly value: number; readonly text: string }[];
}

const STEPS = [1, 2, 2.5, 5, 10];
const MOST_DIVISIONS = 5;
/** An idle port still gets an axis. */
const LEAST_TOP = 1000;

/** An axis from 0 to a round number at or above `most`, with a label at each round step. */
export function rateScale(most: number): RateScale {
  const rough = Math.max(most, LEAST_TOP) / MOST_DIVISIONS;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * STEPS.find((factor) => factor * magnitude >= rough)!;
  const divisions = Math.ceil(Math.max(most, LEAST_TOP) / step);
  const top = divisions * step;
  const power = PREFIXES.findLastIndex((_, power) => 1000 ** power <= top);
  const text = (value: number) => (value === 0 ? '0' : `${value / 1000 ** power} ${PREFIXES[power]}bit/s`);
  const ticks = Array.from({ length: divisions + 1 }, (_, index) => ({
    value: index * step,
    text: text(index * step),
  }));
  return { top, ticks };
}
