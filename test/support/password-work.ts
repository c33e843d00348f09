// Records whether argon2 ran while a transaction was open. For tests that send one request at a time: it cannot tell which
// request opened the transaction.
import { passwordWork } from '#app/account/passwords.ts';
import type { TestApp } from './app.ts';

export interface PasswordWorkWatch extends Disposable {
  /** For each run of argon2 since the last call: was a transaction open? */
  take(): boolean[];
}

export function watchPasswordWork({ parts: { store } }: TestApp): PasswordWorkWatch {
  const runs: boolean[] = [];
  let openTransactions = 0;
  const onWork = () => void runs.push(openTransactions > 0);
  const { transaction } = store;
  const counting: typeof transaction = (work) =>
    transaction(async (queries) => {
      openTransactions++;
      try {
        return await work(queries);
      } finally {
        openTransactions--;
      }
    });
  Object.assign(store, { transaction: counting });
  passwordWork.subscribe(onWork);
  return {
    take: () => runs.splice(0),
    [Symbol.dispose]() {
      passwordWork.unsubscribe(onWork);
      Object.assign(store, { transaction });
    },
  };
}
