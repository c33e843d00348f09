// Who is signed in. The key that signing in answered is kept for the browser's other tabs; one that was pasted is kept for its tab
// alone. Both go with every call as X-API-KEY: no cookie, so no other site can have this browser act.
import { createClient as customerClient, type Client as CustomerClient } from '#sdk/v2.ts';
import { createClient as staffClient, type Client as StaffClient } from '#sdk/operator.ts';
import { useSyncExternalStore } from 'react';

export type Face = 'customer' | 'staff';
export interface SignedIn {
  readonly face: Face;
  readonly key: string;
}

const place = 'hostyard.session';
const listeners = new Set<() => void>();
let signedIn = read();

function read(): SignedIn | undefined {
  const text = sessionStorage.getItem(place) ?? localStorage.getItem(place);
  if (text === null) return undefined;
  try {
    const { face, key } = JSON.parse(text) as Partial<SignedIn>;
    return (face === 'customer' || face === 'staff') && typeof key === 'string' ? { face, key } : undefined;
  } catch {
    return undefined;
  }
}

function change(next: SignedIn | undefined): void {
  signedIn = next;
  for (const listener of listeners) listener();
}

export function signIn(next: SignedIn, keptFor: 'browser' | 'tab'): void {
  forget();
  (keptFor === 'browser' ? localStorage : sessionStorage).setItem(place, JSON.stringify(next));
  change(next);
}
export function signOut(): void {
  forget();
  change(undefined);
}
function forget(): void {
  sessionStorage.removeItem(place);
  localStorage.removeItem(place);
}

// Another tab signed in or out.
addEventListener('storage', ({ key }) => {
  if (key === place) change(read());
});

export function currentSession(): SignedIn | undefined {
  return signedIn;
}
export function useSession(): SignedIn | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => signedIn,
  );
}

const url = location.origin;
const withoutKey = { url, timeoutMs: 60_000 };
let made: { key: string; customer: CustomerClient; staff: StaffClient } | undefined;

function clients(): { customer: CustomerClient; staff: StaffClient } {
  const key = signedIn?.key;
  if (key === undefined) return { customer: customerClient(withoutKey), staff: staffClient(withoutKey) };
  if (made?.key !== key) {
    const settings = { ...withoutKey, key };
    made = { key, customer: customerClient(settings), staff: staffClient(settings) };
  }
  return made;
}
/** Fails where nobody holds this key, or it is not for this side. */
export async function holderOf({ face, key }: SignedIn): Promise<void> {
  await (face === 'customer' ? customerClient : staffClient)({ ...withoutKey, key }).sessionGet();
}
/** The customers' interface, with the key of whoever is signed in at this moment. */
export function customer(): CustomerClient {
  return clients().customer;
}
/** The staff's interface. */
export function staff(): StaffClient {
  return clients().staff;
}
