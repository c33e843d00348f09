// Gives final notices for cancelled services, and terminates them after their last day.
import type { Reconciler } from './reconciler.ts';

/** Decides what is due; implemented in app. */
export interface CancellationWork {
  /** Returns true while the date is in doubt: nothing may be terminated because the clock is wrong. */
  isPaused(): Promise<boolean>;
  /** Returns how many services are left. */
  endServices(signal: AbortSignal): Promise<number>;
}

export function cancelledServices(work: CancellationWork): Reconciler {
  return {
    name: 'cancelled-services',
    everySeconds: 600,
    deadlineSeconds: 600,
    run: async (signal) => ({ backlog: (await work.isPaused()) ? 0 : await work.endServices(signal) }),
  };
}
