// The session in this browser. A key from signing in is shared with the other tabs; a pasted API key stays in its own tab. Both are
// sent as X-API-KEY rather than in a cookie, so that no other site can act through this browser.
import { createClient as customerClient, type Client as CustomerClient } from '#sdk/v2.ts';
import { createClient as staffClient, type Client as StaffClient } from '#sdk/operator.ts';
import { useSyncExternalStore } from 'react';
import { parseSession, serializeSession, type Session } from './stored-session.ts';

const storageKey = 'hostyard.session';
const listeners = new Set<() => void>();
let session = readStoredSession();

function readStoredSession(): Session | undefined {
  const text = sessionStorage.getItem(storageKey) ?? localStorage.getItem(storageKey);
  return text === null ? undefined : parseSession(text);
}

function setSession(next: Session | undefined): void {
  session = next;
  for (const listener of listeners) listener();
}

export function signIn(next: Session, lifetime: 'browser' | 'tab'): void {
  clearStoredSession();
  (lifetime === 'browser' ? localStorage : sessionStorage).setItem(storageKey, serializeSession(next));
  setSession(next);
}
export function signOut(): void {
  clearStoredSession();
  setSession(undefined);
}
function clearStoredSession(): void {
  sessionStorage.removeItem(storageKey);
  localStorage.removeItem(storageKey);
}

// Another tab signed in or out.
addEventListener('storage', ({ key }) => {
  if (key === storageKey) setSession(readStoredSession());
});

export function currentSession(): Session | undefined {
  return session;
}
export function useSession(): Session | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

const baseSettings = { url: location.origin, timeoutMs: 60_000 };
let cachedClients: { key: string; customer: CustomerClient; staff: StaffClient } | undefined;

function clients(): { customer: CustomerClient; staff: StaffClient } {
  const key = session?.key;
  if (key === undefined) return { customer: customerClient(baseSettings), staff: staffClient(baseSettings) };
  if (cachedClients?.key !== key) {
    const settings = { ...baseSettings, key };
    cachedClients = { key, customer: customerClient(settings), staff: staffClient(settings) };
  }
  return cachedClients;
}
/** Rejects if the key is invalid or belongs to the other portal. */
export async function verifyKey({ portal, key }: Session): Promise<void> {
  await (portal === 'customer' ? customerClient : staffClient)({ ...baseSettings, key }).sessionGet();
}
/** Returns a client of the customer API with the current session's key. */
export function customerApi(): CustomerClient {
  return clients().customer;
}
/** Returns a client of the operator API with the current session's key. */
export function staffApi(): StaffClient {
  return clients().staff;
}
