// Combines the reads and writes of polls that run at the same time: an idle provider would otherwise run dozens of statements a
// second, and each commit flushes the disk.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Queries, Store } from '#store/store.ts';

/** Returns a function that reads the value of a key, together with those that others want in the same turn. */
export function combineReads<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  const combine = combineCalls<Key, ReadonlyMap<Key, Value>>(() => nextTurn(), read);
  return async (key) => (await combine(key)).get(key);
}

/** Returns a function that collects items for a moment and writes them in one transaction. It resolves after the commit. */
export function combineWrites<Item>(
  store: Pick<Store, 'transaction'>,
  collectMs: number,
  write: (queries: Queries, items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  return combineCalls(
    () => sleep(collectMs),
    (items) => store.transaction((queries) => write(queries, items)),
  );
}

function combineCalls<Item, Result>(
  wait: () => Promise<unknown>,
  call: (items: readonly Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let collecting: { readonly items: Item[]; readonly result: Promise<Result> } | undefined;
  async function callLater(items: readonly Item[]): Promise<Result> {
    await wait();
    collecting = undefined;
    return call(items);
  }
  return (item) => {
    if (collecting === undefined) {
      const items: Item[] = [];
      collecting = { items, result: callLater(items) };
    }
    collecting.items.push(item);
    return collecting.result;
  };
}
