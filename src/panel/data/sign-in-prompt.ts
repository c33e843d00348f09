// State of the sign-in prompts, one per portal, which open when the session expires while a page is in use.
import { useSyncExternalStore } from 'react';
import type { Portal } from './session.ts';

const listeners = new Set<() => void>();
const open = new Set<Portal>();

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
export function showSignInPrompt(portal: Portal): void {
  open.add(portal);
  notifyListeners();
}
export function hideSignInPrompt(portal: Portal): void {
  open.delete(portal);
  notifyListeners();
}

export function useIsSignInPromptOpen(portal: Portal): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open.has(portal),
  );
}
