// Signing in with a passkey, and its errors in plain words. The WebAuthn library is loaded on first use.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { acceptSession, customerApi, staffApi, type Portal } from './session.ts';
import { t } from '../text/text.ts';

/** Returns why passkeys cannot be used here, or undefined if they can. Browsers bind passkeys to a host name. */
export function passkeysUnavailableReason(): string | undefined {
  if (!('PublicKeyCredential' in globalThis)) return t('This browser does not support passkeys on this page.');
  if (/^[\d.]+$|:/.test(location.hostname))
    return t('Passkeys need a host name. Open this page by its name instead of an IP address.');
  return undefined;
}

/** Rethrows a WebAuthn error with a readable message. Browsers distinguish these cases by the error's name only. */
export function rethrowPasskeyError(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new Error(
      t('No passkey was used: the request was cancelled or timed out, or this device has no passkey for this page.'),
    );
  if (name === 'InvalidStateError') throw new Error(t('You already have a passkey on this device.'));
  throw error;
}

/** Has one of the user's passkeys answer a challenge, which staff have too. The browser offers those for this page. */
export async function answerChallenge() {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const options = (await customerApi().challengeCreate()) as PublicKeyCredentialRequestOptionsJSON;
  return startAuthentication({ optionsJSON: options }).catch(rethrowPasskeyError);
}

/** Signs in with a passkey, without an email address or a name. */
export async function signInWithPasskey(portal: Portal): Promise<void> {
  const answer = { credential: await answerChallenge(), cookie: true };
  const session = portal === 'customer' ? customerApi().challengeAnswer(answer) : staffApi().challengeAnswer(answer);
  await acceptSession(portal, await session);
}
