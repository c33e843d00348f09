// For work that all customers share, of which only a few pieces run at a time. The next one is of the account with the
// fewest running: however many one customer starts, another waits for one of them to end at most.
import type { AccountId } from '#store/account-id.ts';

export interface AccountSlots {
  /** Waits until it is the account's turn and fewer than `atOnce` run. */
  take(account: AccountId, atOnce: number, signal: AbortSignal): Promise<Disposable>;
}

interface Waiting {
  readonly account: AccountId;
  readonly atOnce: number;
  start(): void;
}

export function createAccountSlots(): AccountSlots {
  const running: AccountId[] = [];
  const waiting = new Set<Waiting>();
  const runningOf = ({ account }: Waiting): number => running.filter((other) => other === account).length;

  function startNext(): void {
    const [first, ...others] = [...waiting].filter(({ atOnce }) => running.length < atOnce);
    if (first === undefined) return;
    const next = others.reduce((best, other) => (runningOf(other) < runningOf(best) ? other : best), first);
    waiting.delete(next);
    running.push(next.account);
    next.start();
    startNext();
  }

  return {
    async take(account, atOnce, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const entry = { account, atOnce, start: resolve };
      const leave = (): void => {
        if (waiting.delete(entry)) reject(signal.reason as Error);
      };
      signal.throwIfAborted();
      waiting.add(entry);
      signal.addEventListener('abort', leave, { once: true });
      startNext();
      await promise.finally(() => signal.removeEventListener('abort', leave));
      return {
        [Symbol.dispose]() {
          running.splice(running.indexOf(account), 1);
          startNext();
        },
      };
    },
  };
}
