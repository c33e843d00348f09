// What a browser brings is checked by a library that is loaded when the first passkey is: few need it, and it is large.
import type { Static } from 'typebox';
import type { MadeCredential, ShownCredential } from '#contract/shapes/passkey.ts';
import { Fault } from '#kernel/fault.ts';
import type { Passkey } from '#store/account/passkeys.ts';
import type { RelyingParty } from './relying-party.ts';

/** ES256, EdDSA and RS256, by their numbers in COSE: all that authenticators in use know. */
export const algorithms = [-7, -8, -257];

/** The passkey that was made, as it is to be kept. */
export async function madePasskey(
  made: Static<typeof MadeCredential>,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<Pick<Passkey, 'credential' | 'public_key' | 'counter'>> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await proven('state_conflict', async () => {
    await refuseCertificates(made);
    return verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
  });
  if (!verified) throw refusal('state_conflict');
  const { credential } = registrationInfo;
  const public_key = Buffer.from(credential.publicKey).toString('base64url');
  return { credential: credential.id, public_key, counter: credential.counter };
}

/** How often the passkey was used by its own count, this time included. */
export async function shownPasskey(
  shown: Static<typeof ShownCredential>,
  passkey: Passkey,
  { id, origin }: RelyingParty,
  challenge: string,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await proven('unauthenticated', () =>
    verifyAuthenticationResponse({
      response: { ...shown, clientExtensionResults: {} },
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
  if (!verified) throw refusal('unauthenticated');
  return authenticationInfo.newCounter;
}

export function refusal(code: 'state_conflict' | 'unauthenticated', cause?: unknown): Fault {
  return new Fault(code, { message: 'The passkey was not accepted.', ...(cause === undefined ? {} : { cause }) });
}

/** The library throws at whatever does not fit; what it says is for the log. */
async function proven<T>(code: 'state_conflict' | 'unauthenticated', check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw refusal(code, error);
  }
}

/** We ask for no certificates of makers. The library would look up who revoked one, at an address that stands in it. */
async function refuseCertificates({ response }: Static<typeof MadeCredential>): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  const own = attestation.get('fmt') === 'none' || attestation.get('fmt') === 'packed';
  if (!own || attestation.get('attStmt').get('x5c') !== undefined) throw new Error('it comes with a certificate');
}
