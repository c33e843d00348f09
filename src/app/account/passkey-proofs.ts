// Verifies what browsers send for passkeys. The library is loaded with the first passkey: it is large, and few
// installations need it.
import { isIP } from 'node:net';
import type { Static } from 'typebox';
import type { RegistrationCredential, SignInCredential } from '#contract/shapes/passkey.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import type { Passkey } from '#store/account/passkeys.ts';

/** ES256, EdDSA and RS256 by their COSE numbers, which covers all authenticators in use. */
export const algorithms = [-7, -8, -257];

/**
 * The host that a passkey is bound to. We take the name in the request, if the browser says that the page comes from
 * that same host. Using another name gains nothing: a passkey works only under the name stored with it.
 */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

export function relyingParty(origin: string | undefined): RelyingParty {
  if (origin === undefined) throw conflict('Passkeys can only be used in a browser, on a page of this host.');
  const { hostname, protocol } = new URL(origin);
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw conflict('Passkeys need a host name: open this page by host name instead of IP address.');
  if (protocol !== 'https:' && hostname !== 'localhost') throw conflict('Passkeys need HTTPS.');
  return { id: hostname, origin };
}

/** Verifies a new passkey and returns the columns to store. */
export async function verifyNewPasskey(
  response: Static<typeof RegistrationCredential>,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<Pick<Passkey, 'credential' | 'public_key' | 'counter'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await withPasskeyError('state_conflict', async () => {
    await rejectCertificates(response);
    return verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
  });
  if (!verified) throw passkeyError('state_conflict');
  const { credential } = registrationInfo;
  const public_key = Buffer.from(credential.publicKey).toString('base64url');
  return { credential: credential.id, public_key, counter: credential.counter };
}

/** Verifies the response to a challenge and returns the passkey's own use counter. */
export async function verifyPasskey(
  response: Static<typeof SignInCredential>,
  passkey: Passkey,
  { id, origin }: RelyingParty,
  challenge: string,
  code: 'state_conflict' | 'unauthenticated',
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await withPasskeyError(code, () =>
    verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    }),
  );
  if (!verified) throw passkeyError(code);
  return authenticationInfo.newCounter;
}

export function passkeyError(code: 'state_conflict' | 'unauthenticated', cause?: unknown): ApiError {
  return new ApiError(code, { message: 'The passkey was not accepted.', ...(cause === undefined ? {} : { cause }) });
}

/** The library throws on anything invalid; its message is for the log only. */
async function withPasskeyError<T>(code: 'state_conflict' | 'unauthenticated', check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw passkeyError(code, error);
  }
}

/** We do not ask for attestation certificates, and the library would fetch revocation lists from URLs inside them. */
async function rejectCertificates({ response }: Static<typeof RegistrationCredential>): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  const isSelfAttested = attestation.get('fmt') === 'none' || attestation.get('fmt') === 'packed';
  if (!isSelfAttested || attestation.get('attStmt').get('x5c') !== undefined)
    throw new Error('attestation certificates are not accepted');
}
