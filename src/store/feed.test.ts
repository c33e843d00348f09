import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import type { AccountId } from './account-id.ts';
import { createFeed } from './feed.ts';
import type { Commit, Store } from './store.ts';

test('a commit wakes those who wait for its entries, without looking at any log', async () => {
  let commit: (commit: Commit) => void = () => {};
  const store = {
    queries: undefined,
    onCommit: (listener: typeof commit) => {
      commit = listener;
      return () => {};
    },
  } as unknown as Store;
  let lookups = 0;
  const feed = createFeed<AccountId>(
    { store, log: pino({ level: 'silent' }) },
    async () => {
      lookups++;
      return new Map();
    },
    ({ eventTips }) => eventTips,
  );
  const woken: number[] = [];
  for (const account of [7, 8] as AccountId[]) feed.listen(account, () => woken.push(account));
  const tips = (...entries: [number, number][]): Commit => ({ eventTips: new Map(entries as [AccountId, number][]) });
  commit(tips([7, 1], [5000, 1]));
  commit(tips());
  commit(tips([7, 2]));
  await new Promise(setImmediate);
  feed.close();
  assert.deepEqual({ woken, lookups }, { woken: [7, 7], lookups: 0 });
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
