// Staff look at all that the provider has, so what is told to their pages is that something has changed, and they read again what
// they show. Commits of this node are told within a second of the first, however many follow it; now and then it is told for
// nothing, since other nodes commit too and some things are written without a transaction.
import type { Streamed } from '../events/streamed.ts';
import type { Yard } from '../yard.ts';

export interface Changes {
  streamed(): Streamed;
  close(): void;
}

const gatherMs = 1000;
const atLeastEveryMs = 5000;

export function changesOf(yard: Pick<Yard, 'store'>): Changes {
  const listeners = new Set<() => void>();
  let count = 0;
  let gathering: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(gathering);
    gathering = undefined;
    count++;
    for (const listener of listeners) listener();
  };
  const stopHearing = yard.store.onCommit(() => {
    if (listeners.size > 0) gathering ??= setTimeout(tell, gatherMs).unref();
  });
  const timer = setInterval(() => listeners.size > 0 && tell(), atLeastEveryMs).unref();
  return {
    streamed: () => ({
      // Whoever comes back reads everything again: there is nothing to go on from.
      start: count,
      page: async (after) => {
        const entries = count === after ? [] : [{ position: count, value: { number: String(count) } }];
        return { entries, position: count, isLast: false };
      },
      cursor: String,
      listen(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    }),
    close() {
      stopHearing();
      clearInterval(timer);
      clearTimeout(gathering);
      listeners.clear();
    },
  };
}
