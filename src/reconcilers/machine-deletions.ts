// Completes deletions of machines: powers off those that could not be powered off when they were deleted, and removes them for good
// when they can no longer be restored.
import type { Reconciler } from './reconciler.ts';

/** `continueDeletions` starts the workflows that are due, and returns how many could not be started. */
export function machineDeletions(continueDeletions: (signal: AbortSignal) => Promise<number>): Reconciler {
  return {
    name: 'machine-deletions',
    everySeconds: 60,
    deadlineSeconds: 60,
    run: async (signal) => ({ backlog: await continueDeletions(signal) }),
  };
}
