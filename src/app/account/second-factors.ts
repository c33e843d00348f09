// Removes a person's second factors and ends their sessions, for someone who lost their phone.
import { keysEndSessions } from '#store/account/keys.ts';
import { passkeysRemove } from '#store/account/passkeys.ts';
import { customerHolder, type Person } from '#store/account/people.ts';
import { recoveryCodesRemove } from '#store/account/recovery-codes.ts';
import { totpRemove } from '#store/account/totps.ts';
import type { Context } from '../app.ts';

export async function removeSecondFactors(context: Context, person: Person): Promise<void> {
  await totpRemove(context.queries, person);
  await recoveryCodesRemove(context.queries, person);
  await passkeysRemove(context.queries, customerHolder(person));
  await endSessions(context, person);
}

export async function endSessions(context: Context, person: Person, exceptKey?: number): Promise<void> {
  const { queries, app } = context;
  await keysEndSessions(queries, person, app.clock.now(), exceptKey);
  context.afterCommit(() => app.authentication.forget());
}
