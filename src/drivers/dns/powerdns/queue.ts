// Runs work with the same key in sequence, and with different keys concurrently.

export type Queue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function queueByKey(): Queue {
  const lastByKey = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const previous = lastByKey.get(key) ?? Promise.resolve();
    const current = previous.then(work, work);
    lastByKey.set(key, current);
    try {
      return await current;
    } finally {
      if (lastByKey.get(key) === current) lastByKey.delete(key);
    }
  };
}
