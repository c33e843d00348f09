// State of the sign-in prompts, one per portal, which open when the session expires while a page is in use.
import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';
import type { Portal } from './session.ts';

const listeners = createListeners();
const open = new Set<Portal>();

export function showSignInPrompt(portal: Portal): void {
  open.add(portal);
  listeners.notify();
}
export function hideSignInPrompt(portal: Portal): void {
  open.delete(portal);
  listeners.notify();
}

export function useIsSignInPromptOpen(portal: Portal): boolean {
  return useSyncExternalStore(listeners.subscribe, () => open.has(portal));
}
