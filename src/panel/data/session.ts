// The sessions in this browser, one per portal. The key of a session is in a cookie that no script can read; the
// browser's storage has only its token, which every request must carry. A pasted API key has no cookie: it stays in its
// tab and is sent as X-API-KEY.
import { useLocation } from '@tanstack/react-router';
import { createClient as createCustomerClient, HostyardError, type ClientSettings } from '#sdk/v2.ts';
import { createClient as createStaffClient } from '#sdk/operator.ts';
import { useSyncExternalStore } from 'react';
import { t } from '../text/text.ts';
import { createListeners } from './listeners.ts';

export type Portal = 'customer' | 'staff';

const keyItem = (portal: Portal): string => `hostyard.key.${portal}`;
const tokenItem = (portal: Portal): string => `hostyard.token.${portal}`;
const readKey = (portal: Portal): string | null => sessionStorage.getItem(keyItem(portal));
const readToken = (portal: Portal): string | null => localStorage.getItem(tokenItem(portal));
const listeners = createListeners();

// Earlier versions stored the key of the session itself.
for (const storage of [localStorage, sessionStorage]) storage.removeItem('hostyard.session');

// Another tab signed in or out.
addEventListener('storage', listeners.notify);

export function hasSession(portal: Portal): boolean {
  return (readKey(portal) ?? readToken(portal)) !== null;
}

/** Returns the portal of a page by its address in the browser. */
export function portalOf(pathname: string): Portal {
  return pathname.startsWith('/panel/staff') ? 'staff' : 'customer';
}

/** The portal of the current page. */
export function usePortal(): Portal {
  // Only the result, so that a change of the hash renders nothing again.
  return useLocation({
    select: ({ pathname, search }) =>
      pathname.startsWith('/staff') || (pathname === '/sign-in' && search.staff === true) ? 'staff' : 'customer',
  });
}

/** Returns the key or token of the session, which changes with every sign-in, or null if nobody is signed in. */
export function useSession(portal: Portal): string | null {
  return useSyncExternalStore(listeners.subscribe, () => readKey(portal) ?? readToken(portal));
}

const baseSettings = { url: location.origin, timeoutMs: 60_000 };

/** Returns a getter of an API client with the current session of the portal. */
export function sessionClient<Client>(portal: Portal, create: (settings: ClientSettings) => Client): () => Client {
  // Reads the token for each attempt, because another tab may have signed in again.
  const withCookie = create({ ...baseSettings, fetch: fetchWithToken(() => readToken(portal) ?? '') });
  let withKey: { readonly key: string; readonly client: Client } | undefined;
  return () => {
    const key = readKey(portal);
    if (key === null) return withCookie;
    if (withKey?.key !== key) withKey = { key, client: create({ ...baseSettings, key }) };
    return withKey.client;
  };
}

function fetchWithToken(tokenOf: () => string): typeof fetch {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set('x-csrf-token', tokenOf());
    return fetch(url, { ...init, headers, credentials: 'same-origin' });
  };
}

export const customerApi = sessionClient('customer', createCustomerClient);
export const staffApi = sessionClient('staff', createStaffClient);

/** Completes a sign-in. Fails if the browser has rejected the cookie that came with it. */
export async function acceptSession(portal: Portal, { csrf = '' }: { readonly csrf?: string }): Promise<void> {
  const settings = { ...baseSettings, fetch: fetchWithToken(() => csrf) };
  await (portal === 'customer' ? createCustomerClient : createStaffClient)(settings)
    .sessionGet()
    .catch((error: unknown) => {
      if (!(error instanceof HostyardError) || error.status !== 401) throw error;
      throw new Error(t('This browser did not keep the session cookie. Open the panel over HTTPS.'));
    });
  sessionStorage.removeItem(keyItem(portal));
  localStorage.setItem(tokenItem(portal), csrf);
  listeners.notify();
}

/** Signs in to the portal that the key belongs to, in this tab, and returns the portal. */
export async function signInWithKey(key: string): Promise<Portal> {
  const portal = await createCustomerClient({ ...baseSettings, key })
    .sessionGet()
    .then(
      () => 'customer' as const,
      (error: unknown) => {
        if (error instanceof HostyardError && error.code === 'scope_missing') return 'staff' as const;
        throw error;
      },
    );
  sessionStorage.setItem(keyItem(portal), key);
  listeners.notify();
  return portal;
}

/** Ends the session on the server, which deletes the cookie. An API key is only forgotten. */
export async function signOut(portal: Portal): Promise<void> {
  if (readKey(portal) === null)
    await (portal === 'customer' ? customerApi() : staffApi()).sessionDelete().catch((error: unknown) => {
      // It has already expired.
      if (!(error instanceof HostyardError) || error.status !== 401) throw error;
    });
  forgetSession(portal);
}

export function forgetSession(portal: Portal): void {
  if (readKey(portal) === null) localStorage.removeItem(tokenItem(portal));
  else sessionStorage.removeItem(keyItem(portal));
  listeners.notify();
}
