// Verifies the caller's own password in two halves: argon2 before the transaction, which it would block, and inside it
// only a comparison with the hash that is stored by then.
import type { PasswordCheck } from '#contract/parameters.ts';
import { conflict } from '#lib/api-error.ts';
import { operatorFind } from '#store/operator/operators.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { customerAttempts, operatorAttempts } from './attempts.ts';
import { isPasswordCorrect } from './passwords.ts';
import { findSignedInPerson } from './signed-in.ts';

/**
 * Compares a password with that of the signed-in person. Without a session it is never correct; the handler rejects the
 * call.
 */
export async function checkCallersPassword(app: App, caller: Caller, password: string): Promise<PasswordCheck> {
  const person = await findPerson(app, caller);
  if (person === undefined) return { isCorrect: false, hash: null };
  const { attempts, subject, hash } = person;
  attempts.begin(subject, app.clock.now());
  const isCorrect = await isPasswordCorrect(hash, password);
  if (isCorrect) attempts.forgive(subject);
  return { isCorrect, hash };
}

async function findPerson({ store: { queries } }: App, caller: Caller) {
  if (caller.operator === undefined) {
    const person = await findSignedInPerson(queries, caller);
    return person && { attempts: customerAttempts, subject: person.email, hash: person.password_hash };
  }
  const { id } = caller.operator;
  const operator = id === null ? undefined : await operatorFind(queries, id);
  return operator && { attempts: operatorAttempts, subject: operator.name, hash: operator.password_hash };
}

/** Rejects the call unless the password was correct and is still the one that is stored. */
export function requireCorrectPassword(check: PasswordCheck, stored: { readonly password_hash: string | null }): void {
  if (!check.isCorrect || check.hash !== stored.password_hash) throw conflict('Current password is incorrect.');
}
