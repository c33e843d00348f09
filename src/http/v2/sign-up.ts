// v2: sign-up.
import type { signUpV2 } from '#contract/v2/sign-up.ts';
import { signUpComplete } from '#app/sign-up/accounts.ts';
import { signUpChallenge } from '#app/sign-up/challenges.ts';
import { signUpRequest } from '#app/sign-up/requests.ts';
import { signUpGet } from '#app/sign-up/settings.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const signUpHandlers: HandlersOf<typeof signUpV2> = {
  signUpGet: (visitor) => signUpGet(visitor),
  signUpChallenge: (visitor) => signUpChallenge(visitor),
  signUpRequest: respondWith('Link Sent', signUpRequest),
  signUpComplete,
};
