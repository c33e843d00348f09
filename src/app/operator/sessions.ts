// Sign-in of the provider's staff: name, password and the code of an app. A name that nobody has, a wrong password and a wrong
// code get the same answer after the same time. Until a second factor is confirmed a session may do nothing but enrol one.
import type { Static } from 'typebox';
import { roles } from '#contract/roles.ts';
import type { Enrolment, OperatorSelf, OperatorSession } from '#contract/shapes/operator.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import { keyInsert, keyRemoveEndedSessions, operatorKeyRevoke, operatorSessionsEnd } from '#store/account/keys.ts';
import * as store from '#store/operator/operators.ts';
import { attemptCounter } from '../account/attempts.ts';
import { secretMade, stepAtSignIn, stepOf } from '../account/one-time-codes.ts';
import { passwordFits } from '../account/passwords.ts';
import { sessionKey, sessionMs } from '../account/session-key.ts';
import type { Context, Visitor } from '../yard.ts';

/** A whole office can stand behind one address. */
const attemptsOfAddress = attemptCounter(20);
const attemptsOfName = attemptCounter(5);

export interface SignIn {
  readonly name: string;
  readonly password: string;
  readonly code?: string;
}

export async function sessionCreate(visitor: Visitor, given: SignIn): Promise<Static<typeof OperatorSession>> {
  const { yard, address } = visitor;
  const now = yard.clock.now();
  const name = given.name.toLowerCase();
  attemptsOfAddress.begin(address, now);
  attemptsOfName.begin(name, now);
  const operator = await store.operatorFindByName(yard.store.queries, name);
  const known = operator?.status === 'Active' ? operator : undefined;
  const fits = await passwordFits(known?.password_hash, given.password);
  const step = known === undefined ? undefined : stepAtSignIn(yard, totpPlace(known.id), known, given.code);
  if (!fits || known === undefined || step === undefined) throw wrong();
  const opened = await openSession(visitor, known, step, now);
  attemptsOfName.forgive(name);
  attemptsOfAddress.forgive(address);
  return opened;
}

function wrong(): Fault {
  return new Fault('unauthenticated', { message: 'Name, password or code is wrong.' });
}

async function openSession(
  { yard, address, requestId }: Visitor,
  operator: store.Operator,
  step: number | 'none',
  now: number,
): Promise<Static<typeof OperatorSession>> {
  const { id, name, role } = operator;
  const { text, row } = sessionKey(
    { account_id: null, contact_id: null, operator_role: null, operator_id: id },
    now,
    address,
  );
  await yard.store.transaction(async (queries) => {
    // A code that somebody saw over a shoulder, or in a log, has been used already.
    if (step !== 'none' && !(await store.operatorSpendStep(queries, id, step))) throw wrong();
    await keyRemoveEndedSessions(queries, now);
    const key = await keyInsert(queries, row);
    await auditAppend(queries, {
      account_id: providerAccount,
      contact_id: null,
      key_id: key,
      at: now,
      address,
      operation: 'operator.sessionCreate',
      target: '',
      outcome: 'success',
      request_id: requestId,
      operator: name,
    });
  });
  const secondfactor = operator.totp_since === null ? ('Missing' as const) : ('Confirmed' as const);
  return { key: text, expires: momentText(now + sessionMs), name, role, secondfactor };
}

export function sessionGet({ caller }: Context): Static<typeof OperatorSelf> {
  const { name, role } = caller.operator!;
  return { name, role, powers: roles[role].filter((power) => caller.scopes.has(power)), kind: caller.keyKind };
}

export async function sessionDelete(context: Context): Promise<void> {
  const { caller, queries, yard } = context;
  if (caller.keyKind !== 'session')
    throw new Fault('state_conflict', { message: 'This key did not come from signing in.' });
  await operatorKeyRevoke(queries, caller.key, yard.clock.now());
  context.afterCommit(() => yard.authentication.forget());
}

export async function totpEnrol(context: Context): Promise<Static<typeof Enrolment>> {
  const { queries, yard } = context;
  const { id, name, totp_since } = await self(context);
  if (totp_since !== null)
    throw new Fault('state_conflict', { message: 'A second factor is confirmed; an owner can have it forgotten.' });
  const { enrolment, sealed } = secretMade(yard, totpPlace(id), name);
  await store.operatorUpdate(queries, id, { totp_secret: sealed });
  return enrolment;
}

export async function totpConfirm(context: Context, code: string): Promise<void> {
  const { queries, yard } = context;
  const operator = await self(context);
  const now = yard.clock.now();
  if (operator.totp_since !== null || operator.totp_secret === null)
    throw new Fault('state_conflict', { message: 'There is no secret that waits to be confirmed.' });
  attemptsOfName.begin(`confirm ${operator.name}`, now);
  const step = stepOf(yard, totpPlace(operator.id), operator, code);
  if (step === undefined) throw new Fault('state_conflict', { message: 'The code is not the one of this moment.' });
  attemptsOfName.forgive(`confirm ${operator.name}`);
  await store.operatorUpdate(queries, operator.id, { totp_since: now, totp_step: step });
  context.afterCommit(() => yard.authentication.forget());
}

export async function passwordSet(context: Context, password: string, newHash: string): Promise<void> {
  const { queries, yard, caller } = context;
  const operator = await self(context);
  const now = yard.clock.now();
  attemptsOfName.begin(operator.name, now);
  if (!(await passwordFits(operator.password_hash, password)))
    throw new Fault('state_conflict', { message: 'The present password is another.' });
  attemptsOfName.forgive(operator.name);
  await store.operatorUpdate(queries, operator.id, { password_hash: newHash });
  await operatorSessionsEnd(queries, operator.id, now, caller.key);
  context.afterCommit(() => yard.authentication.forget());
}

/** The person who calls. A key of the site file has none behind it. */
async function self({ caller, queries }: Context): Promise<store.Operator> {
  const id = caller.operator!.id;
  const found = id === null ? undefined : await store.operatorFind(queries, id);
  if (found === undefined) throw new Fault('state_conflict', { message: 'This key did not come from signing in.' });
  return found;
}

function totpPlace(id: number): string {
  return `operators totp_secret ${id}`;
}
