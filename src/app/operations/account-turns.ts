// For work that all customers share, of which one piece runs at a time. Accounts take turns: however many pieces one of
// them starts, another waits for one of them at most.
import { ApiError } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';

export interface AccountTurns {
  /** Runs the work when it is the account's turn. Rejects if too much is waiting, most of it of this account. */
  run<Result>(account: AccountId, work: () => Promise<Result>): Promise<Result>;
}

export function createAccountTurns(maxWaiting: number): AccountTurns {
  /** In the order in which the accounts have their turns. */
  const waiting = new Map<AccountId, PromiseWithResolvers<void>[]>();
  let isRunning = false;

  function startNext(last: AccountId): void {
    const lastTurns = waiting.get(last) ?? [];
    waiting.delete(last);
    if (lastTurns.length > 0) waiting.set(last, lastTurns);
    const next = waiting.values().next().value?.shift();
    isRunning = next !== undefined;
    next?.resolve();
  }

  /** If all places are taken, the account with the most of them makes room. */
  function makeRoom(account: AccountId): void {
    const queues = [...waiting.values()];
    if (queues.reduce((count, turns) => count + turns.length, 0) < maxWaiting) return;
    const longest = queues.reduce((best, turns) => (turns.length > best.length ? turns : best));
    const overloaded = new ApiError('overloaded', { internal: 'too much work of accounts is waiting' });
    if (longest.length <= (waiting.get(account)?.length ?? 0) + 1) throw overloaded;
    longest.pop()!.reject(overloaded);
  }

  return {
    async run(account, work) {
      if (isRunning) {
        makeRoom(account);
        const turn = Promise.withResolvers<void>();
        waiting.set(account, [...(waiting.get(account) ?? []), turn]);
        await turn.promise;
      }
      isRunning = true;
      try {
        return await work();
      } finally {
        startNext(account);
      }
    },
  };
}
