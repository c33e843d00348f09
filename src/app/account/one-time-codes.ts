// TOTP codes as a second factor, for customers and operators alike. `sealContext` names the row that stores the secret,
// so that a secret copied to another row cannot be opened.
import type { Static } from 'typebox';
import type { Enrolment } from '#contract/shapes/operator.ts';
import { conflict } from '#lib/api-error.ts';
import { totpBytes, totpMatch, totpSecret, totpUrl } from '#lib/totp.ts';
import type { App, Context } from '../app.ts';
import { sessionAttempts, sessionSubject } from './attempts.ts';

export const wrongCodeMessage = 'The code is incorrect or has expired.';

export interface SecondFactor {
  /** Sealed; null if none is enrolled. */
  readonly totp_secret: string | null;
  /** Null until it is confirmed. */
  readonly totp_since: number | null;
}

export function createTotpSecret(
  app: App,
  sealContext: string,
  name: string,
): { enrolment: Static<typeof Enrolment>; sealed: string } {
  const secret = totpSecret();
  return { enrolment: { secret, url: totpUrl(name, secret) }, sealed: app.secrets.seal(secret, sealContext) };
}

/** Returns the time step that the code belongs to, or undefined if it is wrong or there is no secret. */
function codeStep(app: App, sealContext: string, { totp_secret }: SecondFactor, code: string): number | undefined {
  if (totp_secret === null) return undefined;
  return totpMatch(totpBytes(app.secrets.open(totp_secret, sealContext)), code, app.clock.now());
}

/**
 * Returns the time step that a sign-in spends: `none` without a confirmed second factor, undefined if the code is
 * wrong.
 */
export function signInStep(
  app: App,
  sealContext: string,
  factor: SecondFactor,
  code: string | undefined,
): number | 'none' | undefined {
  return factor.totp_since === null ? 'none' : codeStep(app, sealContext, factor, code ?? '');
}

/**
 * Counts the attempt and rejects a wrong code. `spend` records the time step of a correct one, and returns false if it
 * was used before: each code counts once, so that one read over a shoulder is worthless.
 */
export async function useCode(
  { app, caller }: Context,
  sealContext: string,
  factor: SecondFactor,
  code: string,
  spend: (step: number) => Promise<unknown>,
): Promise<void> {
  const subject = sessionSubject(app, caller);
  sessionAttempts.begin(subject, app.clock.now());
  const step = codeStep(app, sealContext, factor, code);
  if (step === undefined || (await spend(step)) === false) throw conflict(wrongCodeMessage);
  sessionAttempts.forgive(subject, app.clock.now());
}
