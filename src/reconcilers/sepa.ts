// Every minute, and when a statement is imported: matches statements, announces direct debits and writes files for the
// bank.
import type { Reconciler } from './reconciler.ts';

export function sepaSweep(perform: (signal: AbortSignal) => Promise<void>): Reconciler {
  return {
    name: 'sepa',
    everySeconds: 60,
    deadlineSeconds: 600,
    async run(signal) {
      await perform(signal);
      return { backlog: 0 };
    },
  };
}
