// Looks after attacks that go on, as long as there are any.
import type { Reconciler } from './reconciler.ts';

/** Twice in the time of one traffic log, so that none is missed. */
const everySeconds = 30;

/** `look` answers how many attacks go on. */
export function attackWatcher(look: (signal: AbortSignal) => Promise<number>): Reconciler {
  return {
    name: 'attack-watch',
    everySeconds,
    deadlineSeconds: 120,
    run: async (signal) => ({ backlog: await look(signal) }),
  };
}
