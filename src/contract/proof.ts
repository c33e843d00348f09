// Proofs that a call comes from the person and not from somebody with their session: one of these parameters is enough.
import * as p from './parameters.ts';
import { SignInCredential } from './shapes/passkey.ts';

/** For a person who may not have a second factor. */
export const firstProof = {
  password: p.optional(p.CurrentPassword),
  passkey: p.optional({
    ...SignInCredential,
    description: 'The response of one of your passkeys to the options of `POST /v2/session/challenge`',
  }),
} as const;

export const ownProof = { ...firstProof, code: p.optional(p.OneTimeCode) } as const;
