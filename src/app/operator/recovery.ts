// Forgotten passwords of staff, by the same links as those of customers, and the address that they go to. Staff who have
// to sign in through the identity provider get no link.
import type { InputOf } from '#contract/endpoint.ts';
import type { recoveryOperator } from '#contract/operator/recovery.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { invalid } from '#lib/api-error.ts';
import { jobWorker, type JobKind, type JobWorker } from '#queue/queue.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import { operatorSessionsEnd } from '#store/account/keys.ts';
import { recoveriesRemove, recoveriesRemoveExpired, recoveryFind, recoveryTake } from '#store/account/recoveries.ts';
import type { Recovery } from '#store/account/recoveries.ts';
import * as store from '#store/operator/operators.ts';
import type { Queries } from '#store/store.ts';
import { createAttemptCounter } from '../account/attempts.ts';
import { createRecovery, expiredLink, linkTokenHash, requireLinks } from '../account/links.ts';
import { hashNewPassword } from '../account/new-passwords.ts';
import { visitorLane } from '../account/password-queue.ts';
import { signInDigest, type RecoveryWork } from '../account/recovery.ts';
import type { App, Context, Visitor } from '../app.ts';
import { queueMail } from '../mail/sending.ts';
import { findStaffSignOn } from '../sign-on/staff-settings.ts';
import { endImpersonations } from './impersonation-endings.ts';
import { notifyStaff } from './notices.ts';
import { getSignedInOperator, operatorEmail, operatorHolder } from './signed-in.ts';

/** Operators with one address. */
const maxOperators = 5;
/** By network. */
const requests = createAttemptCounter();

export const staffRecoveryJob: JobKind<RecoveryWork> = {
  name: 'staff-recovery',
  deadlineSeconds: 60,
  retries: 20,
  firstRetrySeconds: 2,
  maxRetrySeconds: 60,
  concurrency: 1,
  // Two at once would both find that another link may be sent.
  key: ({ email }) => email,
};

/** Does the same work for every address: who has it is looked up in the job. */
export async function recoveryRequest({ app, address, requestId }: Visitor, email: string): Promise<void> {
  await requireLinks(app);
  requests.begin(`${app.instanceId} ${budgetNetwork(address)}`, app.clock.now());
  const work = { email: operatorEmail(email), address, requestId };
  await app.store.transaction((queries) => app.queue.enqueue(queries, staffRecoveryJob, work));
}

type WorkDeps = Pick<App, 'store' | 'queue' | 'clock' | 'secrets'>;

export function staffRecoveryWorker(app: WorkDeps): JobWorker {
  return jobWorker(staffRecoveryJob, async (job) => {
    await job.complete(async (queries) => {
      await recoveriesRemoveExpired(queries, app.clock.now());
      for (const operator of await store.operatorsWithEmail(queries, job.payload.email, maxOperators))
        if (await canRecover(app, queries, operator)) await sendLink(app, queries, operator, job.payload);
    });
  });
}

async function canRecover(
  app: Pick<App, 'secrets'>,
  queries: Queries,
  { name, status, password_hash }: store.Operator,
): Promise<boolean> {
  if (status !== 'Active' || password_hash === null) return false;
  const signOn = await findStaffSignOn(app, queries);
  return signOn?.required !== true || signOn.breakGlass.has(name);
}

async function sendLink(
  app: WorkDeps,
  queries: Queries,
  operator: store.Operator,
  { address, requestId }: RecoveryWork,
): Promise<void> {
  const now = app.clock.now();
  const link = await createRecovery(queries, operatorHolder(operator.id), signInDigest(operator), now);
  if (link === undefined) return;
  await auditRecovery(queries, operator, { address, requestId }, 'operator.recoveryRequest', now);
  await queueMail(app, queries, {
    account: providerAccount,
    contact: null,
    address: operator.email,
    language: '',
    kind: 'staffrecovery',
    values: { firstname: operator.name, lastname: '', ...link, address },
  });
}

export async function recoveryComplete(
  { app, address, requestId }: Visitor,
  { token, newpassword }: InputOf<typeof recoveryOperator.recoveryComplete>,
): Promise<void> {
  const hash = linkTokenHash(token);
  // A hash takes a while, so only for a link that can be used.
  await requireUsable(app, app.store.queries, await recoveryFind(app.store.queries, hash));
  const password_hash = await hashNewPassword(newpassword, 'newpassword', visitorLane(address, true));
  await app.store.transaction(async (queries) => {
    const operator = await requireUsable(app, queries, await recoveryTake(queries, hash));
    const now = app.clock.now();
    await store.operatorUpdate(queries, operator.id, { password_hash });
    await recoveriesRemove(queries, operatorHolder(operator.id));
    await endImpersonations(app, queries, { operator_id: operator.id }, 'Staff');
    await operatorSessionsEnd(queries, operator.id, now, undefined);
    await auditRecovery(queries, operator, { address, requestId }, 'operator.recoveryComplete', now);
    await notifyStaff(app, queries, operator, { change: 'password changed', address });
  });
  app.authentication.forget();
}

/** Returns the operator, if the link is valid and they still have the same address and password. */
async function requireUsable(app: App, queries: Queries, recovery: Recovery | undefined): Promise<store.Operator> {
  if (recovery?.operator_id == null || recovery.expires_at <= app.clock.now()) throw expiredLink();
  const operator = await store.operatorFind(queries, recovery.operator_id);
  const isSame = operator !== undefined && signInDigest(operator) === recovery.sign_in_digest;
  if (!isSame || !(await canRecover(app, queries, operator))) throw expiredLink();
  return operator;
}

async function auditRecovery(
  queries: Queries,
  { name }: store.Operator,
  { address, requestId }: Pick<Visitor, 'address' | 'requestId'>,
  operation: `operator.${string}`,
  at: number,
): Promise<void> {
  const call = { operation, target: '', outcome: 'success', request_id: requestId, operator: name };
  await auditAppend(queries, { account_id: providerAccount, contact_id: null, key_id: null, at, address, ...call });
}

export async function emailSet(context: Context, email: string | undefined): Promise<void> {
  const { app, queries, caller } = context;
  if (email === undefined) throw invalid({ email: 'is required; empty removes the address' });
  const operator = await getSignedInOperator(context);
  const address = operatorEmail(email);
  if (address === operator.email) return;
  await store.operatorUpdate(queries, operator.id, { email: address });
  await recoveriesRemove(queries, operatorHolder(operator.id));
  await notifyStaff(app, queries, operator, { change: 'email changed', address: caller.address });
}
