// Wakes whoever waits for the next entry of a log: immediately for commits of this process, within a second for those
// of another instance. Only logs that somebody waits for are queried, many in one query.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#lib/log.ts';
import type { Commit, Queries, Store } from './store.ts';

export interface Feed<Subject> {
  /**
   * Calls the listener when the log of this subject has new entries, and occasionally without reason. Returns a
   * function that ends the subscription.
   */
  listen(subject: Subject, listener: () => void): () => void;
  close(): void;
}

const pollMs = 1000;
/** Few enough that the query does not hold up others. */
const subjectsPerQuery = 500;

/**
 * `tips` returns the last position of each log. `tipsAfter` returns those that a commit of this process has changed;
 * without it, every commit may have added to any log.
 */
export function createFeed<Subject>(
  parts: { readonly store: Store; readonly log: Log },
  tips: (queries: Queries, subjects: readonly Subject[]) => Promise<Map<Subject, number>>,
  tipsAfter?: (commit: Commit) => ReadonlyMap<Subject, number>,
): Feed<Subject> {
  const listeners = new Map<Subject, Set<() => void>>();
  const lastTips = new Map<Subject, number>();
  /** Subjects that may have new entries. */
  const due = new Set<Subject>();
  let isChecking = false;

  function wake(subject: Subject, tip: number): void {
    const ofSubject = listeners.get(subject);
    if (ofSubject === undefined || tip === lastTips.get(subject)) return;
    lastTips.set(subject, tip);
    for (const listener of ofSubject) listener();
  }

  async function checkAll(): Promise<void> {
    for (const subject of listeners.keys()) due.add(subject);
    if (isChecking) return;
    isChecking = true;
    try {
      while (due.size > 0) {
        await checkSome();
        if (due.size > 0) await nextTurn();
      }
    } catch (error) {
      parts.log.warn({ err: error }, 'cannot check a log for new entries; retrying');
    } finally {
      isChecking = false;
    }
  }

  async function checkSome(): Promise<void> {
    const subjects = [...due].slice(0, subjectsPerQuery);
    for (const subject of subjects) due.delete(subject);
    for (const [subject, tip] of await tips(parts.store.queries, subjects)) wake(subject, tip);
  }

  const timer = setInterval(() => void checkAll(), pollMs).unref();
  const stopListening = parts.store.onCommit((commit) => {
    if (tipsAfter === undefined) void checkAll();
    else for (const [subject, tip] of tipsAfter(commit)) wake(subject, tip);
  });
  return {
    listen(subject, listener) {
      const ofSubject = listeners.get(subject) ?? new Set();
      listeners.set(subject, ofSubject.add(listener));
      // A command that waits for another process must not end because nothing else keeps it running.
      timer.ref();
      return () => {
        ofSubject.delete(listener);
        if (ofSubject.size > 0 || listeners.get(subject) !== ofSubject) return;
        listeners.delete(subject);
        lastTips.delete(subject);
        if (listeners.size === 0) timer.unref();
      };
    },
    close() {
      clearInterval(timer);
      stopListening();
      listeners.clear();
      due.clear();
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
