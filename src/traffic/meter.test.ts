import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import { type CounterKind, type CounterReading, type Meter, readMeter } from './meter.ts';
import { sampleMarks, type Sample, unmeasured } from './series.ts';

const noonMs = Date.UTC(2026, 9, 31, 12);
const intervalMs = 300_000;
const gigabit: CounterKind = { counterBits: 64, speedBitsPerSecond: 1e9 };

function samplesOf(readings: Iterable<CounterReading>, kind: CounterKind): Sample[] {
  let meter: Meter | undefined;
  const samples: Sample[] = [];
  for (const reading of readings) {
    const result = readMeter(meter, reading, kind);
    samples.push(...result.samples);
    meter = result.meter;
  }
  return samples;
}

/** Readings at `[seconds since noon, in, out, upTime ticks]`; the switch has been up for a day at noon. */
function readings(...rows: (readonly [number, bigint, bigint, number?])[]): CounterReading[] {
  return rows.map(([seconds, inOctets, outOctets, upTimeTicks = 8_640_000 + seconds * 100]) => {
    return { atMs: noonMs + seconds * 1000, upTimeTicks, inOctets, outOctets };
  });
}

/** Each sample as `[seconds since noon, in, out, marks]`. */
const summarize = (rows: Iterable<CounterReading>, kind = gigabit) =>
  samplesOf(rows, kind).map(({ start, inBytes, outBytes, marks }) => [start - noonMs / 1000, inBytes, outBytes, marks]);

describe('the meter of a port', () => {
  it('assigns bytes to the interval in which they passed', () => {
    assert.deepEqual(summarize(readings([0, 0n, 0n], [300, 600n, 60n], [600, 900n, 61n])), [
      [0, 600, 60, 0],
      [300, 300, 1, 0],
    ]);
  });

  it('distributes bytes by time if polls are not aligned, without rounding losses', () => {
    assert.deepEqual(summarize(readings([0, 0n, 0n], [200, 7n, 0n], [400, 14n, 1n], [600, 21n, 1n])), [
      [0, 10, 0, 0],
      [300, 11, 1, 0],
    ]);
  });

  it('marks the interval in which it started as partial', () => {
    assert.deepEqual(summarize(readings([60, 0n, 0n], [300, 80n, 8n], [600, 90n, 9n])), [
      [0, 80, 8, sampleMarks.gap],
      [300, 10, 1, 0],
    ]);
  });

  it('averages over missed polls, marks them, and preserves the total', () => {
    assert.deepEqual(summarize(readings([0, 0n, 0n], [300, 300n, 0n], [1200, 1200n, 9n], [1500, 1500n, 9n])), [
      [0, 300, 0, 0],
      [300, 300, 3, sampleMarks.gap],
      [600, 300, 3, sampleMarks.gap],
      [900, 300, 3, sampleMarks.gap],
      [1200, 300, 0, 0],
    ]);
  });

  it('does not guess the traffic of a 32-bit counter after missed polls', () => {
    const kind: CounterKind = { counterBits: 32, speedBitsPerSecond: 1e9 };
    assert.deepEqual(summarize(readings([0, 0n, 0n], [600, 500n, 5n]), kind), [
      [0, 0, 0, sampleMarks.gap],
      [300, 0, 0, sampleMarks.gap],
    ]);
  });

  for (const counterBits of [32, 64] as const) {
    it(`handles the wrap of a ${counterBits}-bit counter`, () => {
      const end = 2n ** BigInt(counterBits);
      const rows = readings([0, end - 1500n, 10n], [300, end - 500n, 20n], [600, 500n, 30n]);
      assert.deepEqual(summarize(rows, { counterBits, speedBitsPerSecond: 1e8 }), [
        [0, 1000, 10, 0],
        [300, 1000, 10, sampleMarks.wrap],
      ]);
    });
  }

  it('measures a busy port whose 32-bit counters wrap several times in every interval', () => {
    const bytesPerSecond = 62_500_000;
    const rows = Array.from({ length: 80 }, (_, turn) => {
      const octets = BigInt.asUintN(32, BigInt(turn * 15 * bytesPerSecond));
      return readings([turn * 15, octets, octets])[0]!;
    });
    const samples = summarize(rows, { counterBits: 32, speedBitsPerSecond: 1e9 });
    assert.deepEqual(samples.slice(0, 3), [
      [0, 300 * bytesPerSecond, 300 * bytesPerSecond, sampleMarks.wrap],
      [300, 300 * bytesPerSecond, 300 * bytesPerSecond, sampleMarks.wrap],
      [600, 300 * bytesPerSecond, 300 * bytesPerSecond, sampleMarks.wrap],
    ]);
  });

  it('treats cleared counters as a restart, not as a wrap', () => {
    assert.deepEqual(summarize(readings([0, 5_000n, 10n], [300, 9_000n, 20n], [600, 0n, 0n], [900, 7n, 7n])), [
      [0, 4000, 10, 0],
      [300, 0, 0, sampleMarks.reset],
      [600, 7, 7, 0],
    ]);
  });

  it('trusts no counter across a restart of the switch, even if it continued', () => {
    assert.deepEqual(summarize(readings([0, 0n, 0n], [300, 5n, 5n], [600, 1_000_000n, 9n, 100])), [
      [0, 5, 5, 0],
      [300, 0, 0, sampleMarks.reset],
    ]);
  });

  it('handles the wrap of sysUpTime after 497 days', () => {
    const rows = readings([0, 0n, 0n, 2 ** 32 - 10_000], [300, 30n, 3n, 20_000]);
    assert.deepEqual(summarize(rows), [[0, 30, 3, 0]]);
  });

  it('accepts no more than the line rate', () => {
    assert.deepEqual(summarize(readings([0, 0n, 0n], [300, 40_000_000_000n, 0n], [600, 40_000_000_001n, 0n])), [
      [0, 0, 0, sampleMarks.reset],
      [300, 1, 0, 0],
    ]);
  });

  it('distinguishes a clock set forward from elapsed time', () => {
    const rows = readings([0, 0n, 0n], [300, 100n, 10n], [900, 200n, 20n, 8_700_000], [1200, 300n, 30n, 8_730_000]);
    assert.deepEqual(summarize(rows), [
      [0, 100, 10, 0],
      [300, 0, 0, sampleMarks.clock],
      [600, 0, 0, sampleMarks.clock],
      [900, 100, 10, 0],
    ]);
  });

  it('counts no interval twice when the clock is set back', () => {
    const rows = readings([0, 0n, 0n], [300, 100n, 10n], [540, 180n, 18n], [360, 200n, 20n, 8_700_000]);
    const later = readings([600, 280n, 28n, 8_724_000], [900, 380n, 38n, 8_754_000]);
    assert.deepEqual(summarize([...rows, ...later]), [
      [0, 100, 10, 0],
      [300, 80, 8, sampleMarks.clock],
      [600, 100, 10, 0],
    ]);
  });

  it('marks at most a day when the clock jumps by years', () => {
    const rows = readings([0, 0n, 0n], [300, 1n, 1n], [400_000_000, 2n, 2n, 8_700_000]);
    assert.equal(samplesOf(rows, gigabit).length, 2 + 288);
  });

  it('ignores late and duplicate readings', () => {
    const [first, second, third] = readings([0, 0n, 0n], [150, 50n, 5n], [300, 100n, 10n]);
    assert.deepEqual(summarize([first!, second!, second!, first!, third!]), [[0, 100, 10, 0]]);
  });
});

type Event = 'nothing' | 'counters cleared' | 'agent restarted' | 'clock set';
interface Step {
  readonly seconds: number;
  readonly inBytes: number;
  readonly outBytes: number;
  readonly event: Event;
  readonly clockSeconds: number;
}

const step = (...events: { weight: number; arbitrary: fc.Arbitrary<Event> }[]) =>
  fc.record({
    seconds: fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 240, max: 310 }) },
      { weight: 3, arbitrary: fc.integer({ min: 20, max: 120 }) },
      { weight: 1, arbitrary: fc.integer({ min: 500, max: 5000 }) },
    ),
    inBytes: fc.integer({ min: 0, max: 4_000_000_000 }),
    outBytes: fc.integer({ min: 0, max: 40_000_000 }),
    event: fc.oneof({ weight: 8, arbitrary: fc.constant<Event>('nothing') }, ...events),
    clockSeconds: fc.integer({ min: -4000, max: 4000 }).filter((seconds) => Math.abs(seconds) > 200),
  });
const single = (event: Event) => ({ weight: 1, arbitrary: fc.constant(event) });

/** A simulated port with known traffic: what passed in each step, and when by the wall clock. */
function* simulatePort(steps: readonly Step[], counterBits: 32 | 64, startOctets: bigint) {
  const range = 2n ** BigInt(counterBits);
  let reading = { atMs: noonMs, upTimeTicks: 4_294_000_000, inOctets: startOctets, outOctets: startOctets / 2n };
  yield { reading, from: reading, step: undefined };
  for (const step of steps) {
    const from = reading;
    const cleared = step.event === 'counters cleared' || step.event === 'agent restarted';
    const clockSeconds = step.event === 'clock set' ? step.clockSeconds : 0;
    reading = {
      atMs: from.atMs + (step.seconds + clockSeconds) * 1000,
      upTimeTicks: step.event === 'agent restarted' ? step.seconds : (from.upTimeTicks + step.seconds * 100) % 2 ** 32,
      inOctets: ((cleared ? 0n : from.inOctets) + BigInt(step.inBytes)) % range,
      outOctets: ((cleared ? 0n : from.outOctets) + BigInt(step.outBytes)) % range,
    };
    yield { reading, from, step };
  }
}

const readingsOf = (history: readonly { reading: CounterReading }[]) => history.map(({ reading }) => reading);

/** A naive reference for the bytes between two times: each step's bytes, proportional to its duration. */
function naiveBytes(history: { from: CounterReading; step: Step | undefined }[], startMs: number): number {
  return history.reduce((sum, { from, step }) => {
    if (step === undefined) return sum;
    const overlapMs = Math.min(from.atMs + step.seconds * 1000, startMs + intervalMs) - Math.max(from.atMs, startMs);
    return overlapMs <= 0 ? sum : sum + (step.inBytes * overlapMs) / (step.seconds * 1000);
  }, 0);
}

describe('the meter compared with a naive reference', () => {
  const kind: CounterKind = { counterBits: 64, speedBitsPerSecond: 0 };

  it('measures exactly what passed, with any mix of wraps, restarts, gaps and cleared counters', () => {
    const steps = fc.array(step(single('counters cleared'), single('agent restarted')), {
      minLength: 1,
      maxLength: 60,
    });
    const start = fc.bigInt({ min: 2n ** 64n - 10n ** 11n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(steps, start, (steps, start) => {
        const history = [...simulatePort(steps, 64, start)];
        let total = 0;
        for (const sample of samplesOf(readingsOf(history), kind)) {
          total += sample.inBytes;
          const truth = naiveBytes(history, sample.start * 1000);
          // A counter that is cleared twice in a row can pass its old value unnoticed; the result is then too low,
          // never too high.
          const unseen = history.some(
            ({ from, step, reading }) => step?.event === 'counters cleared' && reading.inOctets >= from.inOctets,
          );
          assert.ok(sample.inBytes <= truth + 20, `more than passed: ${sample.inBytes} of ${truth}`);
          if ((sample.marks & unmeasured) === 0 && !unseen) assert.ok(sample.inBytes >= truth - 20);
        }
        assert.ok(total <= steps.reduce((sum, { inBytes }) => sum + inBytes, 0));
      }),
    );
  });

  it('never shows a peak when the clock is set, forward or back', () => {
    const steps = fc.array(step(single('clock set'), single('agent restarted')), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(steps, (steps) => {
        const history = [...simulatePort(steps, 64, 1n)];
        const highestRate = Math.max(...steps.map(({ inBytes, seconds }) => inBytes / seconds));
        let total = 0;
        for (const sample of samplesOf(readingsOf(history), kind)) {
          total += sample.inBytes;
          assert.ok(sample.inBytes <= highestRate * 300 + 20, JSON.stringify(sample));
        }
        assert.ok(total <= steps.reduce((sum, { inBytes }) => sum + inBytes, 0));
      }),
    );
  });

  it('never lets a cleared 32-bit counter be the highest rate of a port', () => {
    const steps = fc.array(step(single('counters cleared')), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(steps, fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }), (steps, start) => {
        const aligned = steps.map((step) => ({ ...step, seconds: 300 }));
        const history = [...simulatePort(aligned, 32, start)];
        let highestTruth = 0;
        for (const sample of samplesOf(readingsOf(history), { ...kind, counterBits: 32 })) {
          highestTruth = Math.max(highestTruth, naiveBytes(history, sample.start * 1000));
          assert.ok(sample.inBytes <= highestTruth + 1, JSON.stringify(sample));
        }
      }),
    );
  });
});
