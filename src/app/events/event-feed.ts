// Wakes whoever waits for the next event of an account: at once for what this process commits, within a second for what
// another node does. Only accounts for which somebody waits are asked about.
import { eventTips } from '#store/events.ts';
import type { AccountId } from '#store/tables.ts';
import type { Yard } from '../yard.ts';

export interface EventFeed {
  /** Calls the listener when the account has new events, and perhaps now and then for nothing; what it answers ends that. */
  listen(account: AccountId, listener: () => void): () => void;
  close(): void;
}

const pollMs = 1000;

export function eventFeed(yard: Pick<Yard, 'store' | 'log'>): EventFeed {
  const listeners = new Map<AccountId, Set<() => void>>();
  const seen = new Map<AccountId, number>();
  let looking = false;
  let lookAgain = false;

  async function look(): Promise<void> {
    lookAgain = looking;
    if (looking || listeners.size === 0) return;
    looking = true;
    try {
      const tips = await eventTips(yard.store.queries, [...listeners.keys()]);
      for (const [account, tip] of tips) {
        if (tip === seen.get(account)) continue;
        seen.set(account, tip);
        for (const listener of listeners.get(account) ?? []) listener();
      }
    } catch (error) {
      yard.log.warn({ err: error }, 'new events could not be looked for; it is tried again');
    } finally {
      looking = false;
    }
    if (lookAgain) await look();
  }

  const timer = setInterval(() => void look(), pollMs).unref();
  const stopHearing = yard.store.onCommit(() => void look());
  return {
    listen(account, listener) {
      const ofAccount = listeners.get(account) ?? new Set();
      listeners.set(account, ofAccount.add(listener));
      return () => {
        ofAccount.delete(listener);
        if (ofAccount.size > 0 || listeners.get(account) !== ofAccount) return;
        listeners.delete(account);
        seen.delete(account);
      };
    },
    close() {
      clearInterval(timer);
      stopHearing();
      listeners.clear();
    },
  };
}
