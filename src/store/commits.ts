// What a transaction adds for others to read, collected until it is committed, so that only those are woken who wait for
// it.
import type { AccountId } from './account-id.ts';
import type { Commit, Queries } from './store.ts';

const accountsOf = new WeakMap<Queries, Set<AccountId>>();

/** Returns the commit of this transaction, which the functions below complete. */
export function collectCommit(transaction: Queries): Commit {
  const accountsWithEvents = new Set<AccountId>();
  accountsOf.set(transaction, accountsWithEvents);
  return { accountsWithEvents };
}

export function noteEvents(transaction: Queries, account: AccountId): void {
  accountsOf.get(transaction)?.add(account);
}
