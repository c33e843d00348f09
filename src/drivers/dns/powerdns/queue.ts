// Work under one key runs one at a time, in the order it came; under different keys, side by side.

export type Queue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function queueByKey(): Queue {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
