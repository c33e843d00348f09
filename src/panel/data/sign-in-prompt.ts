// State of the sign-in prompt, which opens when the session expires while a page is in use.
import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let isOpen = false;

function setOpen(next: boolean): void {
  if (isOpen === next) return;
  isOpen = next;
  for (const listener of listeners) listener();
}
export const showSignInPrompt = (): void => setOpen(true);
export const hideSignInPrompt = (): void => setOpen(false);

export function useIsSignInPromptOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
