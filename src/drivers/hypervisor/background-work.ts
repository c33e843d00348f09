// Work on a hypervisor that can take longer than a call, such as copying a disk. It continues without its caller, who calls
// again until it is done.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';

export interface BackgroundWork {
  /**
   * Starts the work, unless it is running under this key, and waits for it for a while. Rejects with `device_busy` if it takes
   * longer; the next call with the key returns its result.
   */
  run<T>(key: string, start: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Aborts the work under this key and waits until it has ended. */
  cancel(key: string): Promise<void>;
}

const waitMs = 10_000;
const longestMs = 24 * 3_600_000;

export function backgroundWork(): BackgroundWork {
  const running = new Map<string, { readonly work: Promise<unknown>; readonly controller: AbortController }>();
  return {
    async run<T>(key: string, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
      let entry = running.get(key);
      if (entry === undefined) {
        const controller = new AbortController();
        const work = start(AbortSignal.any([controller.signal, AbortSignal.timeout(longestMs)]));
        // Whoever calls next sees the error.
        work.catch(() => {});
        entry = { work, controller };
        running.set(key, entry);
      }
      const { work } = entry;
      const late = new AbortController();
      try {
        const isDone = await Promise.race([work.then(() => true), sleep(waitMs, false, { signal: late.signal })]);
        if (isDone) {
          running.delete(key);
          return (await work) as T;
        }
      } catch (error) {
        running.delete(key);
        throw error;
      } finally {
        late.abort();
      }
      throw new ApiError('device_busy', { message: 'The disk of the machine is still being copied.' });
    },
    async cancel(key) {
      const entry = running.get(key);
      if (entry === undefined) return;
      entry.controller.abort();
      await entry.work.catch(() => {});
      running.delete(key);
    },
  };
}
