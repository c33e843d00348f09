// The passkeys of a person who has signed in. A passkey is both factors at once: the device that holds it, and the finger,
// face or PIN that the device asks for.
import { randomBytes } from 'node:crypto';
import type { Static } from 'typebox';
import type { MadeCredential, Passkey as Shape, PasskeyCreationOptions } from '#contract/shapes/passkey.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import * as store from '#store/account/passkeys.ts';
import type { Context } from '../yard.ts';
import { challengeMade, challengeMs, challengeTaken } from './passkey-challenges.ts';
import { algorithms, madePasskey } from './passkey-proofs.ts';
import { relyingParty } from './relying-party.ts';
import { signedIn } from './signed-in.ts';

const passkeysOfPerson = 20;

export async function passkeyBegin(context: Context): Promise<Static<typeof PasskeyCreationOptions>> {
  const { queries, yard, caller } = context;
  const party = relyingParty(caller.origin);
  const person = await signedIn(context);
  const passkeys = await store.passkeyList(queries, person);
  if (passkeys.length >= passkeysOfPerson)
    throw new Fault('state_conflict', { message: `There are ${passkeysOfPerson} passkeys already; remove one first.` });
  const user_handle = passkeys[0]?.user_handle ?? randomBytes(32).toString('base64url');
  return {
    rp: { id: party.id, name: 'Hostyard' },
    user: { id: user_handle, name: person.email, displayName: person.email },
    challenge: await challengeMade(queries, yard.clock.now(), { ...person, user_handle }),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: passkeys
      .filter(({ rp_id }) => rp_id === party.id)
      .map(({ credential, transports }) => ({
        id: credential,
        type: 'public-key',
        transports: JSON.parse(transports) as string[],
      })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  };
}

export async function passkeyCreate(
  context: Context,
  name: string,
  made: Static<typeof MadeCredential>,
): Promise<Static<typeof Shape>> {
  const { queries, yard, caller } = context;
  const party = relyingParty(caller.origin);
  const { account_id, contact_id } = await signedIn(context);
  const now = yard.clock.now();
  const taken = await challengeTaken(queries, made.response.clientDataJSON, now);
  if (taken?.account_id !== account_id || taken.contact_id !== contact_id)
    throw new Fault('state_conflict', { message: 'This is no answer to a challenge of the last five minutes.' });
  const proven = await madePasskey(made, party, taken.challenge);
  const passkey = {
    ...proven,
    account_id,
    contact_id,
    transports: JSON.stringify(made.response.transports ?? []),
    user_handle: taken.user_handle!,
    rp_id: party.id,
    name,
    created_at: now,
    last_used_at: null,
  };
  const id = await store.passkeyInsert(queries, passkey);
  if (id === undefined) throw new Fault('already_exists', { message: 'This passkey is known already.' });
  return shown({ ...passkey, id });
}

export async function passkeyGet(context: Context): Promise<Static<typeof Shape>[]> {
  return (await store.passkeyList(context.queries, await signedIn(context))).map(shown);
}

export async function passkeyDelete(context: Context, id: number): Promise<void> {
  if (!(await store.passkeyRemove(context.queries, await signedIn(context), id))) throw new Fault('not_found');
}

function shown({ id, name, created_at, last_used_at }: store.Passkey): Static<typeof Shape> {
  return {
    id: String(id),
    name,
    created: momentText(created_at),
    lastused: last_used_at === null ? '' : momentText(last_used_at),
  };
}
