// Registers, lists and removes passkeys of a customer or an operator. A passkey is both factors at once: the device that
// holds it, and the fingerprint, face or PIN that the device asks for.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { RegistrationCredential, Passkey as Shape, PasskeyCreationOptions } from '#contract/shapes/passkey.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import * as store from '#store/account/passkeys.ts';
import type { SignInHolder } from '#store/account/people.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { Context } from '../app.ts';
import { createChallenge, challengeMs, isRegistrant, takeChallenge } from './passkey-challenges.ts';
import { algorithms, relyingParty, verifyNewPasskey } from './passkey-proofs.ts';

const maxPasskeys = 20;

/** `name` is what the browser shows next to the passkey. */
export async function beginPasskey(
  { queries, app, caller }: Context,
  holder: SignInHolder,
  name: string,
): Promise<Static<typeof PasskeyCreationOptions>> {
  const party = relyingParty(caller.origin);
  const passkeys = await store.passkeyList(queries, holder);
  requireRoom(passkeys);
  const user_handle = passkeys[0]?.user_handle ?? randomBytes(32).toString('base64url');
  return {
    rp: { id: party.id, name: 'Hostyard' },
    user: { id: user_handle, name, displayName: name },
    challenge: await createChallenge(queries, app.clock.now(), { ...holder, user_handle }),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: passkeys
      .filter(({ rp_id }) => rp_id === party.id)
      .map(({ credential, transports }) => ({
        id: credential,
        type: 'public-key',
        transports: store.passkeyTransports.decode(transports),
      })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

export async function storePasskey(
  { queries, app, caller }: Context,
  { account_id, contact_id, operator_id }: SignInHolder,
  name: string,
  credential: Static<typeof RegistrationCredential>,
): Promise<Static<typeof Shape>> {
  const party = relyingParty(caller.origin);
  const now = app.clock.now();
  const challenge = await takeChallenge(queries, credential.response.clientDataJSON, now);
  if (challenge === undefined || !isRegistrant(challenge, { account_id, contact_id, operator_id }))
    throw conflict('The passkey request has expired. Try again.');
  const verified = await verifyNewPasskey(credential, party, challenge.challenge);
  // Many can be begun before the first of them is stored, and two calls at once must not both take the last place.
  await billingAccountLock(queries, account_id);
  requireRoom(await store.passkeyList(queries, { account_id, contact_id, operator_id }));
  const passkey = {
    ...verified,
    account_id,
    contact_id,
    operator_id,
    transports: store.passkeyTransports.encode(credential.response.transports ?? []),
    user_handle: challenge.user_handle!,
    rp_id: party.id,
    name,
    created_at: now,
    last_used_at: null,
  };
  const id = await store.passkeyInsert(queries, passkey);
  if (id === undefined) throw new ApiError('already_exists', { message: 'This passkey is already registered.' });
  return passkeyShape({ ...passkey, id });
}

function requireRoom(passkeys: readonly store.Passkey[]): void {
  if (passkeys.length >= maxPasskeys) throw conflict(`You already have ${maxPasskeys} passkeys. Remove one first.`);
}

export async function listPasskeys({ queries }: Context, holder: SignInHolder): Promise<Static<typeof Shape>[]> {
  return (await store.passkeyList(queries, holder)).map(passkeyShape);
}

/** Returns the name of the removed passkey. */
export async function removePasskey({ queries }: Context, holder: SignInHolder, id: number): Promise<string> {
  return requireFound(await store.passkeyRemove(queries, holder, id));
}

function passkeyShape({ id, name, created_at, last_used_at }: store.Passkey): Static<typeof Shape> {
  return {
    id: String(id),
    name,
    created: timeText(created_at),
    lastused: optionalTimeText(last_used_at),
  };
}
