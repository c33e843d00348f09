// The person behind a session. Passwords and second factors belong to a person, so API keys cannot change them.
import { conflict, type ApiError } from '#lib/api-error.ts';
import { signInOf, type SignIn } from '#store/account/sign-ins.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import type { Caller } from '../caller.ts';

export function notASession(): ApiError {
  return conflict('This requires a session. Sign in first.');
}

export async function findSignedInPerson(queries: Queries, caller: Caller): Promise<SignIn | undefined> {
  const person = { account_id: caller.account, contact_id: caller.contact ?? null };
  return caller.keyKind === 'session' ? signInOf(queries, person) : undefined;
}

export async function getSignedInPerson({ caller, queries }: Context): Promise<SignIn> {
  const person = await findSignedInPerson(queries, caller);
  if (person === undefined) throw notASession();
  return person;
}

/** The text of an event about a change that people make to their own sign-in. */
export function signInChange({ caller }: Context) {
  return { contactid: String(caller.contact ?? ''), session: String(caller.key), address: caller.address };
}
