// Divides long computations into slices, between which other requests run. Slices are counted in items instead of
// measured in time, so that a test can count how often work pauses.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** One or two milliseconds of work for most kinds of items. */
const itemsPerSlice = 200;

let lastSlice: Promise<void> = Promise.resolve();

/** Waits for its turn: however much work is in slices, one slice runs in each turn of the event loop. */
function nextSlice(): Promise<void> {
  lastSlice = lastSlice.then(() => nextTurn());
  return lastSlice;
}

/** Work in a transaction takes every turn, because other changes wait for the end of the transaction. */
export type SlicePlace = 'outside a transaction' | 'in a transaction';

/** Lets other requests run. */
export function pauseWork(place: SlicePlace): Promise<void> {
  return place === 'in a transaction' ? nextTurn() : nextSlice();
}

/** Like `Map.groupBy`. */
export async function groupInSlices<T, Key>(
  values: Iterable<T>,
  keyOf: (value: T) => Key,
  place?: SlicePlace,
): Promise<Map<Key, T[]>> {
  const groups = new Map<Key, T[]>();
  const add = (value: T): void => {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  };
  await mapInSlices(values, add, place);
  return groups;
}

export async function mapInSlices<T, Result>(
  values: Iterable<T>,
  map: (value: T) => Result,
  place: SlicePlace = 'outside a transaction',
): Promise<Result[]> {
  const results: Result[] = [];
  for (const value of values) {
    results.push(map(value));
    if (results.length % itemsPerSlice === 0) await pauseWork(place);
  }
  return results;
}
