// Reads exchange rates a few times a day: the European Central Bank publishes them in the afternoon of working days.
import { exchangeRateReconciler } from '#store/billing/exchange-rates.ts';
import type { Reconciler } from './reconciler.ts';

const everySeconds = 3 * 3600;
const deadlineSeconds = 60;

/** `read` is implemented in app, and throws if the source does not answer: it is then tried again soon. */
export function exchangeRates(read: (signal: AbortSignal) => Promise<void>): Reconciler {
  return {
    name: exchangeRateReconciler,
    everySeconds,
    deadlineSeconds,
    async run(signal) {
      await read(signal);
      return { backlog: 0 };
    },
  };
}
