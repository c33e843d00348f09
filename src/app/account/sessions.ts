// Sign-in of people: the account's own address or a sub-account contact's, with its password. What comes back is a key that
// ends after twelve hours.
import { grantedScopes } from '#contract/scopes.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { auditAppend } from '#store/audit.ts';
import { accountFind, accountRecordLogin, signInFind, type SignIn } from '#store/accounts.ts';
import { contactFind } from '#store/contacts.ts';
import * as store from '#store/keys.ts';
import { attemptCounter } from './attempts.ts';
import { passwordFits } from './passwords.ts';
import { sessionKey, sessionMs } from './session-key.ts';
import type { Context, Visitor } from '../yard.ts';

/** Of one address, before the next has to wait. */
const attempts = attemptCounter(5);

export async function sessionCreate(visitor: Visitor, email: string, password: string) {
  const { yard } = visitor;
  const subject = email.toLowerCase();
  const now = yard.clock.now();
  attempts.begin(subject, now);
  const person = await signInFind(yard.store.queries, subject);
  if (!(await passwordFits(person?.password_hash, password)) || person === undefined)
    throw new Fault('unauthenticated', { message: 'E-mail address or password is wrong.' });
  attempts.forgive(subject);
  return openSession(visitor, person, now);
}

async function openSession({ yard, address, requestId }: Visitor, person: SignIn, now: number) {
  const { account_id, contact_id } = person;
  const { text, row } = sessionKey({ account_id, contact_id, operator_role: null }, now, address);
  const scopes = await yard.store.transaction(async (queries) => {
    const account = await accountFind(queries, account_id);
    if (account?.status === 'Closed') throw new Fault('account_closed');
    await store.keyRemoveEndedSessions(queries, now);
    const key = await store.keyInsert(queries, row);
    await accountRecordLogin(queries, account_id, { at: now, address });
    await auditAppend(queries, {
      account_id,
      contact_id,
      key_id: key,
      at: now,
      address,
      operation: 'v2.sessionCreate',
      target: '',
      outcome: 'success',
      request_id: requestId,
    });
    const contact = contact_id === null ? undefined : await contactFind(queries, account_id, contact_id);
    return grantedScopes(contact === undefined ? ['all'] : contact.permissions.split(','));
  });
  return {
    key: text,
    expires: momentText(now + sessionMs),
    account: String(account_id),
    contact: contact_id === null ? '' : String(contact_id),
    subaccount: contact_id === null ? ('0' as const) : ('1' as const),
    scopes: [...scopes],
  };
}

export async function sessionDelete(context: Context): Promise<void> {
  const { caller, queries, yard } = context;
  if (caller.keyKind !== 'session')
    throw new Fault('state_conflict', { message: 'This key did not come from signing in.' });
  await store.keyUpdate(queries, caller.account, caller.key, { revoked_at: yard.clock.now() });
  context.afterCommit(() => yard.authentication.forget());
}
