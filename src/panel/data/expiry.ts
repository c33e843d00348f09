// Whether the session has ended while somebody was at work.
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isAsking = false;

function set(next: boolean): void {
  if (isAsking === next) return;
  isAsking = next;
  for (const listener of listeners) listener();
}
export const askToSignIn = (): void => set(true);
export const signedInAgain = (): void => set(false);

export function useIsAskedToSignIn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAsking,
  );
}
