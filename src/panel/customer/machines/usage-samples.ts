// Reduces five-minute samples of a machine to what a chart shows, and writes them as CSV.
import type { UsageSample } from '#sdk/v2.ts';

interface ChartPoints {
  readonly starts: readonly number[];
  /** Null if nothing was measured. */
  readonly values: readonly (number | null)[];
}

/** Averages neighbouring values so that at most this many are left; a group without any measured value is a gap. */
export function reduceSamples(
  samples: readonly UsageSample[],
  field: Exclude<keyof UsageSample, 'start'>,
  most: number,
): ChartPoints {
  const size = Math.max(1, Math.ceil(samples.length / most));
  const groups = Array.from({ length: Math.ceil(samples.length / size) }, (_, index) =>
    samples.slice(index * size, (index + 1) * size),
  );
  return {
    starts: groups.map(([first]) => Number(first!.start)),
    values: groups.map((group) => {
      const values = group.flatMap(({ [field]: value }) => (value === '' ? [] : [Number(value)]));
      return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
    }),
  };
}

const columns = ['start', 'cpu', 'memory', 'disk', 'diskread', 'diskwritten'] as const;

/** A value that was not measured is empty. Times and numbers need no quotation marks. */
export function usageCsv(samples: readonly UsageSample[]): string {
  const rows = samples.map(({ start, cpu, memory, disk, diskread, diskwritten }) =>
    [new Date(Number(start) * 1000).toISOString(), cpu, memory, disk, diskread, diskwritten].join(),
  );
  return [columns.join(), ...rows, ''].join('\r\n');
}
