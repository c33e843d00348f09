// Passkeys of the signed-in person. A passkey is both factors at once: the device that holds it, and the fingerprint,
// face or PIN that the device asks for.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { RegistrationCredential, Passkey as Shape, PasskeyCreationOptions } from '#contract/shapes/passkey.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import * as store from '#store/account/passkeys.ts';
import type { Context } from '../app.ts';
import { createChallenge, challengeMs, takeChallenge } from './passkey-challenges.ts';
import { algorithms, relyingParty, verifyNewPasskey } from './passkey-proofs.ts';
import { getSignedInPerson, signInChange } from './signed-in.ts';

const maxPasskeys = 20;

export async function passkeyBegin(context: Context): Promise<Static<typeof PasskeyCreationOptions>> {
  const { queries, app, caller } = context;
  const party = relyingParty(caller.origin);
  const person = await getSignedInPerson(context);
  const passkeys = await store.passkeyList(queries, person);
  if (passkeys.length >= maxPasskeys) throw conflict(`You already have ${maxPasskeys} passkeys. Remove one first.`);
  const user_handle = passkeys[0]?.user_handle ?? randomBytes(32).toString('base64url');
  return {
    rp: { id: party.id, name: 'Hostyard' },
    user: { id: user_handle, name: person.email, displayName: person.email },
    challenge: await createChallenge(queries, app.clock.now(), { ...person, user_handle }),
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

export async function passkeyCreate(
  context: Context,
  name: string,
  credential: Static<typeof RegistrationCredential>,
): Promise<Static<typeof Shape>> {
  const { queries, app, caller } = context;
  const party = relyingParty(caller.origin);
  const { account_id, contact_id } = await getSignedInPerson(context);
  const now = app.clock.now();
  const challenge = await takeChallenge(queries, credential.response.clientDataJSON, now);
  if (challenge?.account_id !== account_id || challenge.contact_id !== contact_id)
    throw conflict('The passkey request has expired. Try again.');
  const verified = await verifyNewPasskey(credential, party, challenge.challenge);
  const passkey = {
    ...verified,
    account_id,
    contact_id,
    transports: store.passkeyTransports.encode(credential.response.transports ?? []),
    user_handle: challenge.user_handle!,
    rp_id: party.id,
    name,
    created_at: now,
    last_used_at: null,
  };
  const id = await store.passkeyInsert(queries, passkey);
  if (id === undefined) throw new ApiError('already_exists', { message: 'This passkey is already registered.' });
  context.emit('account.factor.added', { ...signInChange(context), factor: 'passkey', name });
  return passkeyShape({ ...passkey, id });
}

export async function passkeyGet(context: Context): Promise<Static<typeof Shape>[]> {
  return (await store.passkeyList(context.queries, await getSignedInPerson(context))).map(passkeyShape);
}

export async function passkeyDelete(context: Context, id: number): Promise<void> {
  const name = requireFound(await store.passkeyRemove(context.queries, await getSignedInPerson(context), id));
  context.emit('account.factor.removed', { ...signInChange(context), factor: 'passkey', name });
}

function passkeyShape({ id, name, created_at, last_used_at }: store.Passkey): Static<typeof Shape> {
  return {
    id: String(id),
    name,
    created: timeText(created_at),
    lastused: last_used_at === null ? '' : timeText(last_used_at),
  };
}
