// Wakes whoever waits for the next entry of a log: immediately for commits of this process, within a second for those
// of another instance. Only logs that somebody waits for are queried, all in one query.
import type { Log } from '#lib/log.ts';
import type { Queries, Store } from './store.ts';

export interface Feed<Subject> {
  /**
   * Calls the listener when the log of this subject has new entries, and occasionally without reason. Returns a
   * function that ends the subscription.
   */
  listen(subject: Subject, listener: () => void): () => void;
  close(): void;
}

const pollMs = 1000;

/** `tips` returns the last position of each log. */
export function createFeed<Subject>(
  parts: { readonly store: Store; readonly log: Log },
  tips: (queries: Queries, subjects: readonly Subject[]) => Promise<Map<Subject, number>>,
): Feed<Subject> {
  const listeners = new Map<Subject, Set<() => void>>();
  const lastTips = new Map<Subject, number>();
  let isChecking = false;
  let checkAgain = false;

  async function check(): Promise<void> {
    checkAgain = isChecking;
    if (isChecking || listeners.size === 0) return;
    isChecking = true;
    try {
      for (const [subject, tip] of await tips(parts.store.queries, [...listeners.keys()])) {
        if (tip === lastTips.get(subject)) continue;
        lastTips.set(subject, tip);
        for (const listener of listeners.get(subject) ?? []) listener();
      }
    } catch (error) {
      parts.log.warn({ err: error }, 'cannot check a log for new entries; retrying');
    } finally {
      isChecking = false;
    }
    if (checkAgain) await check();
  }

  const timer = setInterval(() => void check(), pollMs).unref();
  const stopListening = parts.store.onCommit(() => void check());
  return {
    listen(subject, listener) {
      const ofSubject = listeners.get(subject) ?? new Set();
      listeners.set(subject, ofSubject.add(listener));
      return () => {
        ofSubject.delete(listener);
        if (ofSubject.size > 0 || listeners.get(subject) !== ofSubject) return;
        listeners.delete(subject);
        lastTips.delete(subject);
      };
    },
    close() {
      clearInterval(timer);
      stopListening();
      listeners.clear();
    },
  };
}

/** Calls `check` now and whenever one of the subjects may have changed, until it returns a value or `end` is aborted. */
export async function waitForChange<T>(
  feed: Feed<string>,
  subjects: readonly string[],
  end: AbortSignal,
  check: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let change = Promise.withResolvers<void>();
  const wake = (): void => change.resolve();
  const unsubscribes = subjects.map((subject) => feed.listen(subject, wake));
  end.addEventListener('abort', wake);
  try {
    for (;;) {
      // Renewed before the check, so that a change during it is not missed.
      change = Promise.withResolvers();
      const value = await check();
      if (value !== undefined || end.aborted) return value;
      await change.promise;
    }
  } finally {
    end.removeEventListener('abort', wake);
    for (const unsubscribe of unsubscribes) unsubscribe();
  }
}
