// Passkeys in this browser: whether it can, signing in with one, and its errors in words for whoever sits before it. The library is
// fetched when somebody uses one.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { customer, signIn } from './session.ts';

/** Why this page cannot use passkeys; undefined where it can. Browsers bind them to the name of a host. */
export function passkeysReason(): string | undefined {
  if (!('PublicKeyCredential' in globalThis)) return 'This browser has no passkeys for this page.';
  if (/^[\d.]+$|:/.test(location.hostname)) return 'Passkeys need a host name: open this page by its name.';
  return undefined;
}

/** Cancelled, too late, or no passkey for this page: the browser tells them by the name of its error alone. */
export function passkeyTrouble(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new Error('The browser ended it: it was cancelled, took too long, or there is no passkey for this page.');
  if (name === 'InvalidStateError') throw new Error('This device has a passkey of yours already.');
  throw error;
}

/** The browser offers the passkeys that it has for this page: nobody types an email. */
export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = (await customer().challengeCreate()) as PublicKeyCredentialRequestOptionsJSON;
  const credential = await startAuthentication({ optionsJSON: options }).catch(passkeyTrouble);
  const { key } = await customer().challengeAnswer({ credential });
  signIn({ face: 'customer', key }, 'browser');
}
