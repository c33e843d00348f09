// Removes a person's second factors and ends their sessions, for someone who lost their phone.
import type { SupportEnding } from '#contract/shapes/support.ts';
import { keysEndSessions } from '#store/account/keys.ts';
import { passkeysRemove } from '#store/account/passkeys.ts';
import { customerHolder, type Person } from '#store/account/people.ts';
import { recoveryCodesRemove } from '#store/account/recovery-codes.ts';
import { totpRemove } from '#store/account/totps.ts';
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';
import { endImpersonations } from '../operator/impersonation-endings.ts';

export async function removeSecondFactors(context: Context, person: Person): Promise<void> {
  await totpRemove(context.queries, person);
  await recoveryCodesRemove(context.queries, person);
  await passkeysRemove(context.queries, customerHolder(person));
  await endSessions(context, person);
}

export async function endSessions(context: Context, person: Person, exceptKey?: number): Promise<void> {
  const { queries, app, caller } = context;
  await endSessionsOf(app, queries, person, caller.operator === undefined ? 'Customer' : 'Staff', exceptKey);
  context.afterCommit(() => app.authentication.forget());
}

/** With the owner's sessions end those in which staff view the account as the owner. */
export async function endSessionsOf(
  app: App,
  queries: Queries,
  person: Person,
  by: SupportEnding,
  exceptKey?: number,
): Promise<void> {
  if (person.contact_id === null) await endImpersonations(app, queries, { account_id: person.account_id }, by);
  await keysEndSessions(queries, person, app.clock.now(), exceptKey);
}
