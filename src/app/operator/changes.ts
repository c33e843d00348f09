// Notifies the pages of operators that something has changed, so that they reload what they show. Commits of this
// instance are reported together within a second; because other instances commit too and some writes use no
// transaction, pages are also notified every few seconds without a known change.
import type { LogStream } from '../events/log-stream.ts';
import type { App } from '../app.ts';

export interface ChangeNotifier {
  openStream(): LogStream;
  close(): void;
}

const batchMs = 1000;
const intervalMs = 5000;

export function createChangeNotifier(app: Pick<App, 'store'>): ChangeNotifier {
  const listeners = new Set<() => void>();
  let count = 0;
  let timeout: NodeJS.Timeout | undefined;
  const notify = (): void => {
    clearTimeout(timeout);
    timeout = undefined;
    count++;
    for (const listener of listeners) listener();
  };
  const stopListening = app.store.onCommit(() => {
    if (listeners.size > 0) timeout ??= setTimeout(notify, batchMs).unref();
  });
  const timer = setInterval(() => listeners.size > 0 && notify(), intervalMs).unref();
  return {
    openStream: () => ({
      // After a reconnect a page reloads everything, so there is no position to resume from.
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
      stopListening();
      clearInterval(timer);
      clearTimeout(timeout);
      listeners.clear();
    },
  };
}
