// Work of a reconciler on hypervisors: one that hangs, or fails in a way that nobody expected, holds up only its own.

export interface NodeWork {
  readonly node: string;
  /** Returns false to leave it to a later run. */
  run(): Promise<boolean>;
}

/** Runs the work on each hypervisor in order, on all hypervisors at once. Returns how much is left. */
export async function runNodeWork(work: readonly NodeWork[], signal: AbortSignal): Promise<number> {
  let left = work.length;
  const runInOrder = async (own: readonly NodeWork[]): Promise<void> => {
    for (const { run } of own) if (!signal.aborted && (await run())) left--;
  };
  const ended = await Promise.allSettled(Array.from(Map.groupBy(work, ({ node }) => node).values(), runInOrder));
  for (const outcome of ended) if (outcome.status === 'rejected') throw outcome.reason;
  return left;
}
