// For who lost a phone: what he signs in with beside the password is forgotten, and what was signed in with it ends.
import { keysEndSessions } from '#store/account/keys.ts';
import { passkeysRemove } from '#store/account/passkeys.ts';
import type { Person } from '#store/account/people.ts';
import { totpRemove } from '#store/account/totps.ts';
import type { Context } from '../yard.ts';

export async function factorsForget(context: Context, person: Person): Promise<void> {
  await totpRemove(context.queries, person);
  await passkeysRemove(context.queries, person);
  await sessionsEnd(context, person);
}

/** All that the person is signed in to. */
export async function sessionsEnd({ queries, yard, afterCommit }: Context, person: Person): Promise<void> {
  await keysEndSessions(queries, person, yard.clock.now());
  afterCommit(() => yard.authentication.forget());
}
