// Keeps many meters in a few arrays. As objects, those of 18,000 machines would be half a million, replaced every minute, and the
// garbage collector would spend more time on them than the meters themselves take.
import type { Meter } from './meter.ts';

const numbersPerMeter = 9;
const firstCapacity = 64;

/** The meters of the members of one device: one for each series, or undefined if a series has none. */
export class PackedMeters {
  readonly #series: number;
  /** Of each member, in the arrays. */
  readonly #positions = new Map<number, number>();
  #numbers: Float64Array<ArrayBuffer>;
  #counters: BigUint64Array<ArrayBuffer>;
  /** Null if there is no meter. */
  readonly #runs: (string | undefined | null)[] = [];

  constructor(series: number) {
    this.#series = series;
    this.#numbers = new Float64Array(firstCapacity * numbersPerMeter);
    this.#counters = new BigUint64Array(firstCapacity * 2);
  }

  get members(): Iterable<number> {
    return this.#positions.keys();
  }

  has(member: number): boolean {
    return this.#positions.has(member);
  }

  get(member: number): (Meter | undefined)[] | undefined {
    const position = this.#positions.get(member);
    if (position === undefined) return undefined;
    return Array.from({ length: this.#series }, (_, index) => this.#meterAt(position + index));
  }

  set(member: number, meters: readonly (Meter | undefined)[]): void {
    const position = this.#positions.get(member) ?? this.#add(member);
    for (let index = 0; index < this.#series; index++) this.#put(position + index, meters[index]);
  }

  #add(member: number): number {
    const position = this.#runs.length;
    this.#positions.set(member, position);
    for (let index = 0; index < this.#series; index++) this.#runs.push(null);
    if (this.#counters.length < this.#runs.length * 2) {
      this.#numbers = grown(new Float64Array(this.#numbers.length * 2), this.#numbers);
      this.#counters = grown(new BigUint64Array(this.#counters.length * 2), this.#counters);
    }
    return position;
  }

  #put(at: number, meter: Meter | undefined): void {
    this.#runs[at] = meter === undefined ? null : meter.last.run;
    if (meter === undefined) return;
    const { last, open, highestInBytes, highestOutBytes } = meter;
    const { startMs, inBytes, outBytes, coveredMs, marks } = open;
    const numbers = this.#numbers;
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
    this.#counters[at * 2] = last.inOctets;
    this.#counters[at * 2 + 1] = last.outOctets;
  }

  #meterAt(at: number): Meter | undefined {
    const run = this.#runs[at];
    if (run === null) return undefined;
    const numbers = this.#numbers;
    const first = at * numbersPerMeter;
    const last = {
      atMs: numbers[first]!,
      upTimeTicks: numbers[first + 1]!,
      inOctets: this.#counters[at * 2]!,
      outOctets: this.#counters[at * 2 + 1]!,
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
}

function grown<List extends { set(values: List): void }>(larger: List, values: List): List {
  larger.set(values);
  return larger;
}
