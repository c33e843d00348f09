// The figures of a benchmark and how they are printed: one per line, next to its target.

/** The exit code of a benchmark that ran to its end, but missed a target. */
export const missedTarget = 3;

/** Prints a figure. If it misses its target, the benchmark fails once it is done. */
export function printFigure(label: string, value: string, target = '', isMet?: boolean): void {
  const verdict = isMet === undefined ? '' : isMet ? 'met' : 'not met';
  console.log([label.padEnd(64), value.padStart(8), target.padEnd(8), verdict].join('  ').trimEnd());
  if (isMet === false) process.exitCode = missedTarget;
}

/** Returns a function that returns the CPU time of this process since this call, in milliseconds. */
export function startCpuWatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
