// The codes of an app as a second factor, alike for customers and the provider's staff: how a secret is made and sealed, and
// which time step a code spends. `place` is where the secret is kept; sealed there, it opens nowhere else.
import type { Static } from 'typebox';
import type { Enrolment } from '#contract/shapes/operator.ts';
import { totpBytes, totpMatch, totpSecret, totpUrl } from '#kernel/totp.ts';
import type { Yard } from '../yard.ts';

export interface SecondFactor {
  /** Sealed; null where none is enrolled. */
  readonly totp_secret: string | null;
  /** Null until it is confirmed. */
  readonly totp_since: number | null;
}

export function secretMade(
  yard: Yard,
  place: string,
  name: string,
): { enrolment: Static<typeof Enrolment>; sealed: string } {
  const secret = totpSecret();
  return { enrolment: { secret, url: totpUrl(name, secret) }, sealed: yard.secrets.seal(secret, place) };
}

/** The time step to which the code belongs; undefined where it is wrong, or there is no secret. */
export function stepOf(yard: Yard, place: string, { totp_secret }: SecondFactor, code: string): number | undefined {
  if (totp_secret === null) return undefined;
  return totpMatch(totpBytes(yard.secrets.open(totp_secret, place)), code, yard.clock.now());
}

/** What signing in spends: nothing where no second factor is confirmed; undefined where the code is missing or wrong. */
export function stepAtSignIn(
  yard: Yard,
  place: string,
  factor: SecondFactor,
  code: string | undefined,
): number | 'none' | undefined {
  return factor.totp_since === null ? 'none' : stepOf(yard, place, factor, code ?? '');
}
