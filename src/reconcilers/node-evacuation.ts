// Starts the migrations of hypervisors that are being evacuated, a few at a time.
import type { Reconciler } from './reconciler.ts';

/** `continueAll` returns how many machines are left to move. */
export function nodeEvacuation(continueAll: (signal: AbortSignal) => Promise<number>): Reconciler {
  return {
    name: 'node-evacuation',
    everySeconds: 5,
    deadlineSeconds: 60,
    run: async (signal) => ({ backlog: await continueAll(signal) }),
  };
}
