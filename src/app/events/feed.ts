// Wakes whoever waits for the next entry of a log: at once for what this process commits, within a second for what another node
// does. Only logs for which somebody waits are asked about, all of them at once.
import type { Queries } from '#store/store.ts';
import type { Yard } from '../yard.ts';

export interface Feed<Subject> {
  /** Calls the listener when the log of this subject has new entries, and perhaps now and then for nothing; what it answers ends
   * that. */
  listen(subject: Subject, listener: () => void): () => void;
  close(): void;
}

const pollMs = 1000;

/** `tips` tells how far each log has come. */
export function feedOf<Subject>(
  yard: Pick<Yard, 'store' | 'log'>,
  tips: (queries: Queries, subjects: readonly Subject[]) => Promise<Map<Subject, number>>,
): Feed<Subject> {
  const listeners = new Map<Subject, Set<() => void>>();
  const seen = new Map<Subject, number>();
  let looking = false;
  let lookAgain = false;

  async function look(): Promise<void> {
    lookAgain = looking;
    if (looking || listeners.size === 0) return;
    looking = true;
    try {
      for (const [subject, tip] of await tips(yard.store.queries, [...listeners.keys()])) {
        if (tip === seen.get(subject)) continue;
        seen.set(subject, tip);
        for (const listener of listeners.get(subject) ?? []) listener();
      }
    } catch (error) {
      yard.log.warn({ err: error }, 'new entries of a log could not be looked for; it is tried again');
    } finally {
      looking = false;
    }
    if (lookAgain) await look();
  }

  const timer = setInterval(() => void look(), pollMs).unref();
  const stopHearing = yard.store.onCommit(() => void look());
  return {
    listen(subject, listener) {
      const ofSubject = listeners.get(subject) ?? new Set();
      listeners.set(subject, ofSubject.add(listener));
      return () => {
        ofSubject.delete(listener);
        if (ofSubject.size > 0 || listeners.get(subject) !== ofSubject) return;
        listeners.delete(subject);
        seen.delete(subject);
      };
    },
    close() {
      clearInterval(timer);
      stopHearing();
      listeners.clear();
    },
  };
}
