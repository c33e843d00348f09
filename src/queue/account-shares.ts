// Limits how much of what all customers share one account may use in this process at the same time.
import type { AccountId } from '#store/account-id.ts';

export interface AccountShares {
  /** Returns undefined if the account uses this much already. */
  enter(account: AccountId, limit: number): Disposable | undefined;
}

export function createAccountShares(): AccountShares {
  const used = new Map<AccountId, number>();
  return {
    enter(account, limit) {
      const count = used.get(account) ?? 0;
      if (count >= limit) return undefined;
      used.set(account, count + 1);
      return {
        [Symbol.dispose]() {
          const left = (used.get(account) ?? 1) - 1;
          if (left === 0) used.delete(account);
          else used.set(account, left);
        },
      };
    },
  };
}
