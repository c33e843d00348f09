// Removes a person's second factors and ends their sessions, for someone who lost their phone.
import { keysEndSessions } from '#store/account/keys.ts';
import { passkeysRemove } from '#store/account/passkeys.ts';
import type { Person } from '#store/account/people.ts';
import { totpRemove } from '#store/account/totps.ts';
import type { Context } from '../app.ts';

export async function removeSecondFactors(context: Context, person: Person): Promise<void> {
  await totpRemove(context.queries, person);
  await passkeysRemove(context.queries, person);
  await endSessions(context, person);
}

export async function endSessions({ queries, app, afterCommit }: Context, person: Person): Promise<void> {
  await keysEndSessions(queries, person, app.clock.now());
  afterCommit(() => app.authentication.forget());
}
