// Keeps many meters in a few arrays. As objects, those of 18,000 machines would be half a million, replaced every minute, and the
// garbage collector would spend more time on them than the meters themselves take.
import type { Meter } from './meter.ts';

/** Of the members of one device, each with a meter for each of its series; undefined if a series has none. */
export interface PackedMeters {
  /** Of each member, in the arrays. */
  readonly positions: ReadonlyMap<number, number>;
  readonly series: number;
  readonly numbers: Float64Array;
  readonly counters: BigUint64Array;
  /** Null if there is no meter. */
  readonly runs: readonly (string | undefined | null)[];
}

const numbersPerMeter = 9;

/** Reuses the texts of the former meters. */
export function packMeters(
  meters: ReadonlyMap<number, readonly (Meter | undefined)[]>,
  series: number,
  former?: PackedMeters,
): PackedMeters {
  const count = meters.size * series;
  const numbers = new Float64Array(count * numbersPerMeter);
  const counters = new BigUint64Array(count * 2);
  const runs: (string | undefined | null)[] = [];
  const positions = new Map<number, number>();
  for (const [member, ofMember] of meters) {
    positions.set(member, runs.length);
    for (let index = 0; index < series; index++) {
      const meter = ofMember[index];
      const at = runs.length;
      const run = meter === undefined ? null : meter.last.run;
      const known = former?.runs[at];
      runs.push(known === run ? known : run);
      if (meter === undefined) continue;
      const { last, open, highestInBytes, highestOutBytes } = meter;
      const { startMs, inBytes, outBytes, coveredMs, marks } = open;
      const first = at * numbersPerMeter;
      numbers[first] = last.atMs;
      numbers[first + 1] = last.upTimeTicks;
      numbers[first + 2] = startMs;
      numbers[first + 3] = inBytes;
      numbers[first + 4] = outBytes;
      numbers[first + 5] = coveredMs;
      numbers[first + 6] = marks;
      numbers[first + 7] = highestInBytes;
      numbers[first + 8] = highestOutBytes;
      counters[at * 2] = last.inOctets;
      counters[at * 2 + 1] = last.outOctets;
    }
  }
  return { positions, series, numbers, counters, runs };
}

export function unpackMeters(packed: PackedMeters, member: number): (Meter | undefined)[] | undefined {
  const position = packed.positions.get(member);
  if (position === undefined) return undefined;
  return Array.from({ length: packed.series }, (_, index) => meterAt(packed, position + index));
}

function meterAt({ numbers, counters, runs }: PackedMeters, at: number): Meter | undefined {
  const run = runs[at];
  if (run === null) return undefined;
  const first = at * numbersPerMeter;
  const last = {
    atMs: numbers[first]!,
    upTimeTicks: numbers[first + 1]!,
    inOctets: counters[at * 2]!,
    outOctets: counters[at * 2 + 1]!,
  };
  return {
    last: run === undefined ? last : { ...last, run },
    open: {
      startMs: numbers[first + 2]!,
      inBytes: numbers[first + 3]!,
      outBytes: numbers[first + 4]!,
      coveredMs: numbers[first + 5]!,
      marks: numbers[first + 6]!,
    },
    highestInBytes: numbers[first + 7]!,
    highestOutBytes: numbers[first + 8]!,
  };
}
