// The person who calls, where somebody signed in: passwords and second factors are a person's own, and no key that was handed
// to a program changes them.
import { Fault } from '#kernel/fault.ts';
import { signInOf, type SignIn } from '#store/account/sign-ins.ts';
import type { Context, Yard } from '../yard.ts';
import { attemptCounter } from './attempts.ts';
import { passwordFits } from './passwords.ts';

/** Of one e-mail address, before the next has to wait: at signing in, and wherever a password or a code is asked for again. */
export const attempts = attemptCounter(5);

export function notASession(): Fault {
  return new Fault('state_conflict', { message: 'This key did not come from signing in.' });
}

export async function signedIn({ caller, queries }: Context): Promise<SignIn> {
  const person = { account_id: caller.account, contact_id: caller.contact ?? null };
  const found = caller.keyKind === 'session' ? await signInOf(queries, person) : undefined;
  if (found === undefined) throw notASession();
  return found;
}

/** Runs a check that must not be guessed at; `refusal` is what is wrong where it fails. */
export async function guarded(
  { clock }: Pick<Yard, 'clock'>,
  { email }: SignIn,
  refusal: string,
  check: () => boolean | Promise<boolean>,
): Promise<void> {
  attempts.begin(email, clock.now());
  if (!(await check())) throw new Fault('state_conflict', { message: refusal });
  attempts.forgive(email);
}

export function checkPassword(yard: Pick<Yard, 'clock'>, person: SignIn, password: string): Promise<void> {
  return guarded(yard, person, 'The present password is another.', () => passwordFits(person.password_hash, password));
}
