// The calendar of bills, looked at every minute: runs that are due are started, and who is late is told so.
import type { Reconciler } from './reconciler.ts';

/** What is due is decided above this room. */
export interface BillingDesk {
  /** Answers how many were started. */
  startDueRuns(signal: AbortSignal): Promise<number>;
  giveNotices(signal: AbortSignal): Promise<void>;
}

export function billingSweep(desk: BillingDesk): Reconciler {
  return {
    name: 'billing',
    everySeconds: 60,
    deadlineSeconds: 600,
    async run(signal) {
      const started = await desk.startDueRuns(signal);
      await desk.giveNotices(signal);
      return { backlog: started };
    },
  };
}
