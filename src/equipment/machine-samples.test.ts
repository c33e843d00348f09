import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fc } from '#test/support/fast-check.ts';
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import { sampleMarks, unmeasured, type Sample } from '#traffic/series.ts';
import { sampleMachine, type MachineMeters, type MachineSamples } from './machine-samples.ts';

const noonMs = Date.UTC(2026, 9, 31, 12);
const off: MachineUsage = {
  run: undefined,
  cpuMs: undefined,
  memoryUsed: undefined,
  memoryTotal: 2 ** 30,
  diskUsed: 5 * 2 ** 30,
  diskTotal: 20 * 2 ** 30,
  received: undefined,
  sent: undefined,
  diskRead: undefined,
  diskWritten: undefined,
};
/** A machine that counts the same in every series. */
const on = (run: string, bytes: number): MachineUsage => ({
  ...off,
  run,
  memoryUsed: 300 * 2 ** 20,
  cpuMs: bytes,
  received: bytes,
  sent: bytes,
  diskRead: bytes,
  diskWritten: bytes,
});

/** Samples readings at seconds since noon; the third number is how far the clock was set since then. */
function samplesOf(
  readings: Iterable<readonly [number, MachineUsage, number?]>,
): Record<keyof MachineSamples, Sample[]> {
  let meters: MachineMeters = {};
  const all: Record<keyof MachineSamples, Sample[]> = { network: [], disk: [], cpu: [], space: [] };
  for (const [seconds, usage, set = 0] of readings) {
    const time = { atMs: noonMs + (seconds + set) * 1000, upTimeTicks: seconds * 100 };
    const result = sampleMachine(meters, usage, time);
    meters = result.meters;
    for (const series of ['network', 'disk', 'cpu', 'space'] as const) all[series].push(...result.samples[series]);
  }
  return all;
}
const summary = (samples: readonly Sample[]) =>
  samples.map(({ start, inBytes, outBytes, marks }) => [start - noonMs / 1000, inBytes, outBytes, marks]);

describe('the samples of a virtual machine', () => {
  it('are the growth of its counters, and its memory and disk space in megabytes', () => {
    const { network, disk, cpu, space } = samplesOf([
      [0, on('1', 5000)],
      [300, on('1', 5600)],
      [600, on('1', 5700)],
    ]);
    assert.deepEqual(summary(network), [
      [0, 600, 600, 0],
      [300, 100, 100, 0],
    ]);
    assert.deepEqual(summary(disk), summary(network));
    assert.deepEqual(summary(cpu), [
      [0, 600, 0, 0],
      [300, 100, 0, 0],
    ]);
    assert.deepEqual(summary(space), [
      [0, 300, 5120, 0],
      [300, 300, 5120, 0],
    ]);
  });

  it('omit what was counted around a restart, and are zero while the machine is off', () => {
    const { network, space } = samplesOf([
      [0, on('1', 9000)],
      [300, on('2', 400)],
      [600, on('2', 500)],
      [900, off],
      [1200, off],
      [1500, on('3', 50)],
    ]);
    assert.deepEqual(summary(network), [
      [0, 0, 0, sampleMarks.reset],
      [300, 100, 100, 0],
      [600, 0, 0, sampleMarks.reset],
      [900, 0, 0, 0],
      [1200, 0, 0, sampleMarks.reset],
    ]);
    assert.deepEqual(summary(space), [
      [300, 300, 5120, 0],
      [900, 0, 5120, 0],
    ]);
  });

  it('have no series for a counter that the hypervisor does not report', () => {
    const known = { ...off, run: '1', cpuMs: 5 };
    const { network, disk, cpu } = samplesOf([
      [0, known],
      [300, known],
    ]);
    assert.deepEqual([network, disk, cpu.length], [[], [], 1]);
  });

  it('never exceed what passed, whether it restarts, its hypervisor is silent or the clock is set', () => {
    const bytesPerSecond = 1000;
    const step = fc.record({
      seconds: fc.integer({ min: 1, max: 900 }),
      rate: fc.integer({ min: 0, max: bytesPerSecond }),
      event: fc.oneof(
        { weight: 8, arbitrary: fc.constant('none') },
        { weight: 1, arbitrary: fc.constantFrom('restart', 'off', 'silent', 'hostReboot') },
      ),
      clockSeconds: fc.oneof(
        { weight: 8, arbitrary: fc.constant(0) },
        { weight: 1, arbitrary: fc.integer({ min: -1800, max: 1800 }).filter((by) => Math.abs(by) > 60) },
      ),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let [at, set, counter, run, passed] = [0, 0, 0, 1, 0];
        const readings: [number, MachineUsage, number][] = [[0, on('1', 0), 0]];
        for (const { seconds, rate, event, clockSeconds } of steps) {
          [at, set] = [at + seconds, set + clockSeconds];
          // After a reboot of the host, its numbers of runs begin again.
          if (event === 'restart') [counter, run] = [0, run + 1];
          if (event === 'hostReboot') [counter, run] = [0, 1];
          if (event === 'off') [counter, run] = [0, run + 1];
          else [counter, passed] = [counter + seconds * rate, passed + seconds * rate];
          if (event !== 'silent') readings.push([at, event === 'off' ? off : on(String(run), counter), set]);
        }
        const { network } = samplesOf(readings);
        let total = 0;
        for (const { inBytes, outBytes, marks } of network) {
          assert.ok(inBytes >= 0 && Number.isInteger(inBytes));
          assert.equal(inBytes, outBytes);
          total += inBytes;
          if ((marks & unmeasured) === 0) assert.ok(inBytes <= bytesPerSecond * 300 + 1, `a peak of ${inBytes} bytes`);
        }
        assert.ok(total <= passed, `${total} of ${passed} bytes`);
      }),
      { numRuns: 500 },
    );
  });
});
