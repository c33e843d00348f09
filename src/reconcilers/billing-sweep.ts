// Every minute, announces and applies price changes, starts the billing runs that are due and sends payment reminders.
import type { Reconciler } from './reconciler.ts';

/** Decides what is due; implemented in app. */
export interface BillingSchedule {
  /** Returns true while the date is in doubt. */
  isPaused(): Promise<boolean>;
  /** Notifies customers of new prices, before they apply. */
  announcePriceChanges(signal: AbortSignal): Promise<void>;
  /** Gives services the new prices whose day has come. */
  applyPriceChanges(signal: AbortSignal): Promise<void>;
  /** Returns how many were started. */
  startDueRuns(signal: AbortSignal): Promise<number>;
  giveNotices(signal: AbortSignal): Promise<void>;
}

export function billingSweep(schedule: BillingSchedule): Reconciler {
  return {
    name: 'billing',
    everySeconds: 60,
    deadlineSeconds: 600,
    async run(signal) {
      if (await schedule.isPaused()) return { backlog: 0 };
      await schedule.announcePriceChanges(signal);
      await schedule.applyPriceChanges(signal);
      const started = await schedule.startDueRuns(signal);
      await schedule.giveNotices(signal);
      return { backlog: started };
    },
  };
}
