// Proofs that a call comes from the person and not from someone with their session: one of these parameters is enough.
import * as p from './parameters.ts';
import { SignInCredential } from './shapes/passkey.ts';

/** For a person who may not have a second factor. */
export const firstProof = proofAnswering('/v2/session/challenge');
export const ownProof = { ...firstProof, code: p.optional(p.OneTimeCode) } as const;

/** The same for staff. */
export const staffFirstProof = proofAnswering('/operator/session/challenge');
export const staffProof = { ...staffFirstProof, code: p.optional(p.OneTimeCode) } as const;

function proofAnswering(challengePath: string) {
  return {
    password: p.optional(p.CurrentPassword),
    passkey: p.optional({
      ...SignInCredential,
      description: `The response of one of your passkeys to the options of \`POST ${challengePath}\``,
    }),
  } as const;
}
