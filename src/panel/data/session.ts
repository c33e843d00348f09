// The session in this browser. A key from signing in is shared with the other tabs; a pasted API key stays in its own
// tab. Both are sent as X-API-KEY rather than in a cookie, so that no other site can act through this browser.
import { createClient as createCustomerClient } from '#sdk/v2.ts';
import { createClient as createStaffClient } from '#sdk/operator.ts';
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

/** Returns a getter of an API client with the current session's key, which is replaced when the key changes. */
export function sessionClient<Client>(create: (settings: typeof baseSettings & { key?: string }) => Client) {
  let cached: { readonly key: string | undefined; readonly client: Client } | undefined;
  return (): Client => {
    const key = session?.key;
    if (cached === undefined || cached.key !== key)
      cached = { key, client: create(key === undefined ? baseSettings : { ...baseSettings, key }) };
    return cached.client;
  };
}
export const customerApi = sessionClient(createCustomerClient);
export const staffApi = sessionClient(createStaffClient);

/** Rejects if the key is invalid or belongs to the other portal. */
export async function verifyKey({ portal, key }: Session): Promise<void> {
  await (portal === 'customer' ? createCustomerClient : createStaffClient)({ ...baseSettings, key }).sessionGet();
}
