// Samples of traffic as a graph draws them, and the figures beside it. The 95th percentile is by nearest rank over the five-minute
// intervals that were measured, as it is on a bill.
import type { TrafficSample } from '#sdk/v2.ts';

const intervalSeconds = 300;
/** Such an interval has bytes, but no rate of five minutes: it is never ranked. */
const unmeasured: ReadonlySet<string> = new Set(['missing', 'gap', 'reset', 'clock']);

export interface Traffic {
  /** The beginning of each interval, in seconds since 1970. */
  readonly starts: readonly number[];
  /** Bits per second; null where nothing is known, which leaves a hole in the line. */
  readonly inRates: readonly (number | null)[];
  readonly outRates: readonly (number | null)[];
  /** Whether the rate of an interval counts for the percentile. */
  readonly isRanked: readonly boolean[];
  /** Beginning and end of what the intervals of attacks cover. */
  readonly attacks: readonly (readonly [from: number, until: number])[];
}

export interface Figures {
  readonly average: number;
  readonly peak: number;
  readonly percentile: number;
  readonly bytes: number;
}
export interface Summary {
  readonly in: Figures;
  readonly out: Figures;
  /** The larger of the two, which is what a bill goes by. */
  readonly percentile: number;
  /** How many intervals were ranked, and how many of the span are unknown. */
  readonly ranked: number;
  readonly unknown: number;
}

export function trafficOf(samples: readonly TrafficSample[]): Traffic {
  const marks = samples.map((sample) => sample.marks.split(' '));
  const rates = (bytes: 'inbytes' | 'outbytes'): (number | null)[] =>
    samples.map((sample, index) =>
      marks[index]!.includes('missing') ? null : Math.round((Number(sample[bytes]) * 8) / intervalSeconds),
    );
  const starts = samples.map(({ start }) => Number(start));
  return {
    starts,
    inRates: rates('inbytes'),
    outRates: rates('outbytes'),
    isRanked: marks.map((words) => !words.some((word) => unmeasured.has(word))),
    attacks: attacksIn(
      starts,
      marks.map((words) => words.includes('attack')),
    ),
  };
}

function attacksIn(starts: readonly number[], isAttack: readonly boolean[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [index, start] of starts.entries()) {
    if (!isAttack[index]) continue;
    const last = found.at(-1);
    if (last?.[1] === start) last[1] = start + intervalSeconds;
    else found.push([start, start + intervalSeconds]);
  }
  return found;
}

/** With a hole for each interval that has bytes but no rate of five minutes: drawn, it would be a dip that never was. */
export function trafficMeasured(traffic: Traffic): Traffic {
  const measured = (rates: Traffic['inRates']): (number | null)[] =>
    rates.map((rate, index) => (traffic.isRanked[index] ? rate : null));
  return { ...traffic, inRates: measured(traffic.inRates), outRates: measured(traffic.outRates) };
}

/** What lies within, for the figures of a part that was zoomed into. */
export function trafficWithin(traffic: Traffic, from: number, until: number): Traffic {
  const isWithin = traffic.starts.map((start) => start >= from && start <= until);
  const kept = <T>(values: readonly T[]): T[] => values.filter((_, index) => isWithin[index]);
  return {
    starts: kept(traffic.starts),
    inRates: kept(traffic.inRates),
    outRates: kept(traffic.outRates),
    isRanked: kept(traffic.isRanked),
    attacks: traffic.attacks.filter(([begin, end]) => end > from && begin < until),
  };
}

/** Undefined where nothing is known of the whole span. */
export function summaryOf({ inRates, outRates, isRanked }: Traffic): Summary | undefined {
  const unknown = inRates.filter((rate) => rate === null).length;
  if (unknown === inRates.length) return undefined;
  const [inward, outward] = [figuresOf(inRates, isRanked), figuresOf(outRates, isRanked)];
  return {
    in: inward,
    out: outward,
    percentile: Math.max(inward.percentile, outward.percentile),
    ranked: isRanked.filter(Boolean).length,
    unknown,
  };
}

function figuresOf(rates: readonly (number | null)[], isRanked: readonly boolean[]): Figures {
  const known = rates.filter((rate) => rate !== null);
  const ranked = rates
    .filter((rate, index) => rate !== null && isRanked[index])
    .toSorted((one, other) => one! - other!);
  const sum = known.reduce((total, rate) => total + rate, 0);
  return {
    average: Math.round(sum / known.length),
    peak: ranked.at(-1) ?? 0,
    // In whole numbers: 0.95 is not a binary fraction.
    percentile: ranked[Math.ceil((ranked.length * 95) / 100) - 1] ?? 0,
    bytes: (sum * intervalSeconds) / 8,
  };
}
