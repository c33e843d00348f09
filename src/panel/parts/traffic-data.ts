// Prepares traffic samples for a graph and its figures. As on an invoice, the 95th percentile is taken by nearest rank
// over the five-minute intervals that were measured.
import type { TrafficSample } from '#sdk/v2.ts';

const intervalSeconds = 300;
/** Marks of intervals that may have bytes but no valid five-minute rate. They are not ranked. */
const unmeasured: ReadonlySet<string> = new Set(['missing', 'gap', 'reset', 'clock']);

export interface Traffic {
  /** Start of each interval, in Unix seconds. */
  readonly starts: readonly number[];
  /** Bits per second; null if unknown, which leaves a gap in the line. */
  readonly inRates: readonly (number | null)[];
  readonly outRates: readonly (number | null)[];
  /** True if the interval counts towards the percentile. */
  readonly isRanked: readonly boolean[];
  /** Adjacent attack intervals, merged. */
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
  /** The larger of the two directions, which is what is billed. */
  readonly percentile: number;
  /** Number of ranked intervals, and of intervals without data. */
  readonly ranked: number;
  readonly unknown: number;
}

export function toTraffic(samples: readonly TrafficSample[]): Traffic {
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
    attacks: attackSpans(
      starts,
      marks.map((words) => words.includes('attack')),
    ),
  };
}

function attackSpans(starts: readonly number[], isAttack: readonly boolean[]): [number, number][] {
  const spans: [number, number][] = [];
  for (const [index, start] of starts.entries()) {
    if (!isAttack[index]) continue;
    const last = spans.at(-1);
    if (last?.[1] === start) last[1] = start + intervalSeconds;
    else spans.push([start, start + intervalSeconds]);
  }
  return spans;
}

/** Removes the rates of unmeasured intervals, which would be drawn as dips that never happened. */
export function hideUnmeasured(traffic: Traffic): Traffic {
  const measured = (rates: Traffic['inRates']): (number | null)[] =>
    rates.map((rate, index) => (traffic.isRanked[index] ? rate : null));
  return { ...traffic, inRates: measured(traffic.inRates), outRates: measured(traffic.outRates) };
}

/** Returns the part of the traffic within a time span. */
export function sliceTraffic(traffic: Traffic, from: number, until: number): Traffic {
  const isWithin = traffic.starts.map((start) => start >= from && start <= until);
  const inSpan = <T>(values: readonly T[]): T[] => values.filter((_, index) => isWithin[index]);
  return {
    starts: inSpan(traffic.starts),
    inRates: inSpan(traffic.inRates),
    outRates: inSpan(traffic.outRates),
    isRanked: inSpan(traffic.isRanked),
    attacks: traffic.attacks.filter(([begin, end]) => end > from && begin < until),
  };
}

/** Returns the figures, or undefined if the whole span has no data. */
export function summarizeTraffic({ inRates, outRates, isRanked }: Traffic): Summary | undefined {
  const unknown = inRates.filter((rate) => rate === null).length;
  if (unknown === inRates.length) return undefined;
  const [inward, outward] = [directionFigures(inRates, isRanked), directionFigures(outRates, isRanked)];
  return {
    in: inward,
    out: outward,
    percentile: Math.max(inward.percentile, outward.percentile),
    ranked: isRanked.filter(Boolean).length,
    unknown,
  };
}

function directionFigures(rates: readonly (number | null)[], isRanked: readonly boolean[]): Figures {
  const known = rates.filter((rate) => rate !== null);
  const ranked = rates.filter((rate, index) => rate !== null && isRanked[index]).toSorted((a, b) => a! - b!);
  const sum = known.reduce((total, rate) => total + rate, 0);
  return {
    average: Math.round(sum / known.length),
    peak: ranked.at(-1) ?? 0,
    // Integer arithmetic, because 0.95 has no exact binary representation.
    percentile: ranked[Math.ceil((ranked.length * 95) / 100) - 1] ?? 0,
    bytes: (sum * intervalSeconds) / 8,
  };
}
