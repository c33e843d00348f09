// What a transaction adds for others to read, collected until it is committed, so that only those are woken who wait for
// it.
import type { AccountId } from './account-id.ts';
import type { Commit, Queries } from './store.ts';

const tipsOf = new WeakMap<Queries, Map<AccountId, number>>();

/** Returns the commit of this transaction, which the functions below complete. */
export function collectCommit(transaction: Queries): Commit {
  const eventTips = new Map<AccountId, number>();
  tipsOf.set(transaction, eventTips);
  return { eventTips };
}

/** The tip is the number of the account's last event. */
export function noteEvents(transaction: Queries, account: AccountId, tip: number): void {
  tipsOf.get(transaction)?.set(account, tip);
}
