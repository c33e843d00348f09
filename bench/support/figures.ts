// The figures of a benchmark and how they are printed: one per line, next to its target. scripts/bench.ts reads the lines again.

/** The exit code of a benchmark that ran to its end, but missed a target. */
export const missedTarget = 3;
export const peerMark = 'peer: ';

/** Prints a figure. If it misses its target, the benchmark fails once it is done. The peer did the same work in the same run. */
export function printFigure(label: string, value: string, target = '', isMet?: boolean, peer = ''): void {
  const verdict = isMet === undefined ? '' : isMet ? 'met' : 'not met';
  const columns = [label.padEnd(64), value.padStart(8), target.padEnd(8), peer && `${peerMark}${peer}`, verdict];
  console.log(
    columns
      .filter((column) => column !== '')
      .join('  ')
      .trimEnd(),
  );
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
