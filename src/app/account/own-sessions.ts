// The sessions of the person who is signed in.
import type { Static } from 'typebox';
import type { OpenSession } from '#contract/shapes/person.ts';
import { requireFound } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { deviceText } from '#lib/user-agent.ts';
import { keysEndSession, sessionsOpen } from '#store/account/keys.ts';
import type { Context } from '../app.ts';
import { endSessions } from './second-factors.ts';
import { getSignedInPerson } from './signed-in.ts';

export async function sessionList(context: Context): Promise<Static<typeof OpenSession>[]> {
  const { queries, caller, app } = context;
  const person = await getSignedInPerson(context);
  return (await sessionsOpen(queries, person, app.clock.now())).map((session) => ({
    id: String(session.id),
    current: session.id === caller.key ? '1' : '0',
    device: deviceText(session.user_agent ?? ''),
    address: session.last_used_address ?? '',
    created: timeText(session.created_at),
    lastused: timeText(session.last_used_at ?? session.created_at),
    expires: timeText(session.expires_at!),
  }));
}

/** Without an id, ends all sessions of the person except the caller's. */
export async function sessionRevoke(context: Context, id: number | undefined): Promise<void> {
  const { queries, caller, app } = context;
  const person = await getSignedInPerson(context);
  if (id === undefined) return endSessions(context, person, caller.key);
  requireFound((await keysEndSession(queries, person, id, app.clock.now())) || undefined);
  context.afterCommit(() => app.authentication.forget());
}
