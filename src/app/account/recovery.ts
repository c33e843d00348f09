// Forgotten passwords. Whether an address exists, and how many people use it, is looked up in a job: the request does the
// same work for every address. The link sets a new password and nothing else, so that second factors stay required.
import type { InputOf } from '#contract/endpoint.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import type { sessionV2 } from '#contract/v2/session.ts';
import { appendEvent } from '#events/append.ts';
import { budgetNetwork } from '#lib/addresses.ts';
import { sha256Hex } from '#lib/secrets.ts';
import { jobWorker, type JobKind, type JobWorker } from '#queue/queue.ts';
import { accountChange, accountFind } from '#store/account/accounts.ts';
import { contactFind, contactUpdate } from '#store/account/contacts.ts';
import { customerHolder, type Person } from '#store/account/people.ts';
import * as store from '#store/account/recoveries.ts';
import { signInCandidates, signInOf, type SignIn } from '#store/account/sign-ins.ts';
import type { Queries } from '#store/store.ts';
import { queueMail } from '../mail/sending.ts';
import type { App, Visitor } from '../app.ts';
import { createAttemptCounter } from './attempts.ts';
import {
  auditLink,
  createRecovery,
  expiredLink,
  findLanguage,
  linkTokenHash,
  requireLinks,
  withoutLinks,
} from './links.ts';
import { hashNewPassword } from './new-passwords.ts';
import { visitorLane } from './password-queue.ts';
import { endSessionsOf } from './second-factors.ts';

/** Several tenants may use the address. */
const maxPeople = 10;

/** By network. */
const requests = createAttemptCounter();

export interface RecoveryWork {
  readonly email: string;
  /** The visitor's. */
  readonly address: string;
  readonly requestId: string;
}

export const recoveryJob: JobKind<RecoveryWork> = {
  name: 'recovery',
  deadlineSeconds: 60,
  retries: 20,
  firstRetrySeconds: 2,
  maxRetrySeconds: 60,
  concurrency: 2,
  // Two at once would both find that another link may be sent.
  key: ({ email }) => email,
};

export async function recoveryRequest({ app, address, requestId }: Visitor, email: string): Promise<void> {
  await requireLinks(app);
  requests.begin(`${app.instanceId} ${budgetNetwork(address)}`, app.clock.now());
  const work = { email: email.toLowerCase(), address, requestId };
  await app.store.transaction((queries) => app.queue.enqueue(queries, recoveryJob, work));
}

export function recoveryWorker(app: Pick<App, 'store' | 'queue' | 'clock' | 'secrets'>): JobWorker {
  return jobWorker(recoveryJob, async (job) => {
    const { email } = job.payload;
    await job.complete(async (queries) => {
      await store.recoveriesRemoveExpired(queries, app.clock.now());
      const people = await signInCandidates(queries, email, '');
      // Without a password there is none to forget: such a person signs in elsewhere, or not at all.
      for (const person of people.filter(({ password_hash }) => password_hash !== null).slice(0, maxPeople))
        await sendLink(app, queries, person, job.payload);
    });
  });
}

async function sendLink(
  app: Pick<App, 'queue' | 'clock' | 'secrets'>,
  queries: Queries,
  signIn: SignIn,
  { address, requestId }: RecoveryWork,
): Promise<void> {
  const { account_id, contact_id } = signIn;
  const now = app.clock.now();
  const account = await accountFind(queries, account_id);
  const contact = contact_id === null ? undefined : await contactFind(queries, account_id, contact_id);
  if (account === undefined || account.status === 'Closed') return;
  const link = await createRecovery(queries, customerHolder(signIn), signInDigest(signIn), now);
  if (link === undefined) return;
  await auditLink(queries, { account_id, contact_id }, { address, requestId }, 'v2.recoveryRequest', now);
  await queueMail(app, queries, {
    account: account_id,
    contact: contact_id,
    address: (contact ?? account).email,
    language: await findLanguage(queries, signIn),
    kind: 'recovery',
    values: {
      token: link.token,
      account: withoutLinks(
        account.companyname === '' ? `${account.firstname} ${account.lastname}` : account.companyname,
      ),
      address,
      until: link.until,
    },
  });
}

export async function recoveryComplete(
  { app, address, requestId }: Visitor,
  { token, newpassword }: InputOf<(typeof sessionV2)['recoveryComplete']>,
): Promise<void> {
  const hash = linkTokenHash(token);
  // A hash takes a while, so only for a link that can be used.
  await requireUsable(app, app.store.queries, await store.recoveryFind(app.store.queries, hash));
  const password = await hashNewPassword(newpassword, 'newpassword', visitorLane(address, true));
  await app.store.transaction(async (queries) => {
    const person = await requireUsable(app, queries, await store.recoveryTake(queries, hash));
    const { account_id, contact_id } = person;
    const now = app.clock.now();
    await setPassword(queries, person, password);
    await store.recoveriesRemove(queries, customerHolder(person));
    await endSessionsOf(app, queries, person, 'Customer');
    await auditLink(queries, { account_id, contact_id }, { address, requestId }, 'v2.recoveryComplete', now);
    const data = { contactid: String(contact_id ?? ''), session: '', address };
    await appendEvent(app, queries, { account: account_id, type: 'account.password.changed', data });
  });
  app.authentication.forget();
}

/** Returns the person, if the link is valid and they still sign in with the same address and password. */
async function requireUsable(app: App, queries: Queries, recovery: store.Recovery | undefined): Promise<SignIn> {
  if (recovery === undefined || recovery.expires_at <= app.clock.now()) throw expiredLink();
  const { account_id, contact_id, operator_id, sign_in_digest } = recovery;
  if (operator_id !== null) throw expiredLink();
  const person = await signInOf(queries, { account_id, contact_id });
  const account = await accountFind(queries, account_id);
  if (person === undefined || signInDigest(person) !== sign_in_digest || account?.status === 'Closed')
    throw expiredLink();
  return person;
}

export function signInDigest({ email, password_hash }: Pick<SignIn, 'email' | 'password_hash'>): string {
  return sha256Hex(`${email} ${password_hash}`);
}

/** A password of the person's own, which is not temporary. */
export async function setPassword(
  queries: Queries,
  { account_id, contact_id }: Person,
  password_hash: PasswordHash,
): Promise<void> {
  if (contact_id === null) await accountChange(queries, account_id, { password_hash, password_temporary_until: null });
  else await contactUpdate(queries, account_id, contact_id, { password_hash });
}
