// Verifies the caller's own password in two halves: argon2 before the transaction, which it would block, and inside it
// only a comparison with the hash that is stored by then.
import type { PasswordCheck } from '#contract/parameters.ts';
import { conflict } from '#lib/api-error.ts';
import { operatorFind } from '#store/operator/operators.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { sessionAttempts, sessionSubject } from './attempts.ts';
import { callerLane } from './password-queue.ts';
import { isPasswordCorrect } from './passwords.ts';
import { findSignedInPerson } from './signed-in.ts';

/**
 * Compares a password with that of the signed-in person. Without a session it is never correct; the handler rejects the
 * call.
 */
export async function checkCallersPassword(app: App, caller: Caller, password: string): Promise<PasswordCheck> {
  const person = await findPerson(app, caller);
  if (person === undefined) return { isCorrect: false, hash: null };
  const subject = sessionSubject(app, caller);
  sessionAttempts.begin(subject, app.clock.now());
  let isWrong = false;
  try {
    isWrong = !(await isPasswordCorrect(person.password_hash, password, callerLane(caller)));
  } finally {
    // Also if it could not be checked.
    if (!isWrong) sessionAttempts.forgive(subject, app.clock.now());
  }
  return { isCorrect: !isWrong, hash: person.password_hash };
}

async function findPerson({ store: { queries } }: App, caller: Caller) {
  if (caller.operator === undefined) return findSignedInPerson(queries, caller);
  const { id } = caller.operator;
  return id === null || caller.keyKind !== 'session' ? undefined : operatorFind(queries, id);
}

/** Rejects the call unless the password was correct and is still the one that is stored. */
export function requireCorrectPassword(check: PasswordCheck, stored: { readonly password_hash: string | null }): void {
  if (!check.isCorrect || check.hash !== stored.password_hash) throw conflict('Current password is incorrect.');
}
