// Sign-in of people: the account's own address or a sub-account contact's, with its password. What comes back is a key that
// ends after twelve hours. Wrong attempts for one address wait longer each time, so that guessing is slow and a lost
// password is not.
import { grantedScopes } from '#contract/scopes.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { auditAppend } from '#store/audit.ts';
import { accountFind, accountRecordLogin, signInFind, type SignIn } from '#store/accounts.ts';
import { contactFind } from '#store/contacts.ts';
import * as store from '#store/keys.ts';
import { defaultLimits } from './keys.ts';
import { makeKeyText } from '#kernel/key-text.ts';
import { passwordFits } from './passwords.ts';
import type { Context, Visitor } from '../yard.ts';

const sessionMs = 12 * 3_600_000;
const freeAttempts = 5;
const longestWaitMs = 15 * 60_000;
const addressesRemembered = 100_000;

interface Attempts {
  readonly failed: number;
  readonly waitUntil: number;
}
/** Per process and in memory: a restart forgives, which an attacker cannot bring about. */
const attemptsOf = new Map<string, Attempts>();

export async function sessionCreate(visitor: Visitor, email: string, password: string) {
  const { yard } = visitor;
  const subject = email.toLowerCase();
  const now = yard.clock.now();
  const attempts = attemptsOf.get(subject);
  if (attempts !== undefined && now < attempts.waitUntil) {
    throw new Fault('rate_limited', {
      message: 'Too many wrong attempts; wait before the next.',
      retryAfterSeconds: Math.ceil((attempts.waitUntil - now) / 1000),
    });
  }
  const person = await signInFind(yard.store.queries, subject);
  if (!(await passwordFits(person?.password_hash, password)) || person === undefined) {
    remember(subject, (attempts?.failed ?? 0) + 1, now);
    throw new Fault('unauthenticated', { message: 'E-mail address or password is wrong.' });
  }
  attemptsOf.delete(subject);
  return openSession(visitor, person, now);
}

async function openSession({ yard, address, requestId }: Visitor, person: SignIn, now: number) {
  const { account_id, contact_id } = person;
  const { text, printableId, secretHash } = makeKeyText();
  const scopes = await yard.store.transaction(async (queries) => {
    const account = await accountFind(queries, account_id);
    if (account?.status === 'Closed') throw new Fault('account_closed');
    await store.keyRemoveEndedSessions(queries, now);
    const key = await store.keyInsert(queries, {
      account_id,
      contact_id,
      operator_role: null,
      kind: 'session',
      printable_id: printableId,
      secret_hash: secretHash.toString('hex'),
      previous_hash: null,
      previous_until: null,
      name: 'sign-in',
      scopes: JSON.stringify(['all']),
      allow: '[]',
      ...defaultLimits,
      created_at: now,
      expires_at: now + sessionMs,
      revoked_at: null,
      last_used_at: now,
      last_used_address: address,
    });
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

function remember(subject: string, failed: number, now: number): void {
  if (attemptsOf.size >= addressesRemembered) attemptsOf.clear();
  const waitMs = failed < freeAttempts ? 0 : Math.min(longestWaitMs, 1000 * 2 ** (failed - freeAttempts));
  attemptsOf.set(subject, { failed, waitUntil: now + waitMs });
}
