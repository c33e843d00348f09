import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { AccountId } from './account-id.ts';
import { createFeed } from './feed.ts';
import type { Commit, Store } from './store.ts';

test('a commit wakes those who wait for its entries, and looks at no other log', async () => {
  let commit: (commit: Commit) => void = () => {};
  const store = {
    queries: undefined,
    onCommit: (listener: typeof commit) => {
      commit = listener;
      return () => {};
    },
  } as unknown as Store;
  const checked: AccountId[][] = [];
  const feed = createFeed<AccountId>(
    { store, log: pino({ level: 'silent' }) },
    async (_, accounts) => {
      checked.push([...accounts]);
      return new Map(accounts.map((account) => [account, 1]));
    },
    ({ accountsWithEvents }) => accountsWithEvents,
  );
  const woken: number[] = [];
  const accounts = Array.from({ length: 1000 }, (_, index) => (index + 1) as AccountId);
  for (const account of accounts) feed.listen(account, () => woken.push(account));
  commit({ accountsWithEvents: new Set([7, 5000] as AccountId[]) });
  await Promise.resolve();
  commit({ accountsWithEvents: new Set() });
  await new Promise(setImmediate);
  feed.close();
  assert.deepEqual({ checked, woken }, { checked: [[7]], woken: [7] });
});

test('a process that waits for another one does not end', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const store = { queries: undefined, onCommit: () => () => {} } as unknown as Store;
  const before = timers();
  const feed = createFeed<string>({ store, log: pino({ level: 'silent' }) }, async () => new Map());
  assert.equal(timers(), before);
  const unsubscribes = ['a', 'b'].map((subject) => feed.listen(subject, () => {}));
  assert.equal(timers(), before + 1);
  for (const unsubscribe of unsubscribes) unsubscribe();
  assert.equal(timers(), before);
  feed.close();
});
