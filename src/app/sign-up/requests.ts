// Sign-up, until the person has proved that the address is theirs. Whether an account has the address is looked up in a
// job: the request does the same work for every address. The proof of work, the row and the job are one transaction.
import type { InputOf } from '#contract/endpoint.ts';
import type { signUpV2 } from '#contract/v2/sign-up.ts';
import { widerNetwork } from '#lib/addresses.ts';
import { ApiError, invalid } from '#lib/api-error.ts';
import { dayMs } from '#lib/time.ts';
import { jobWorker, type JobKind, type JobWorker } from '#queue/queue.ts';
import { providerAccount } from '#store/account/accounts.ts';
import * as store from '#store/account/sign-ups.ts';
import { accountFind } from '#store/account/accounts.ts';
import { signInCandidates, type SignIn } from '#store/account/sign-ins.ts';
import { mailsRecent } from '#store/mail/mails.ts';
import type { Queries } from '#store/store.ts';
import { createAttemptCounter } from '../account/attempts.ts';
import {
  createLinkToken,
  expiredLink,
  findLanguage,
  linkTokenHash,
  requireLinks,
  withoutLinks,
} from '../account/links.ts';
import { personColumns, requireCountry } from '../account/person-columns.ts';
import { queueMail } from '../mail/sending.ts';
import type { App, Visitor } from '../app.ts';
import { expiredChallenge, requireSolution } from './challenges.ts';
import { requireSignUp, type SignUpSettings } from './settings.ts';

const linkMs = dayMs;
/** Unexpired links to one address. Further requests send nothing, to protect the mailbox. */
const maxLinks = 3;
/** Requests whose address is not verified, of everybody. */
const maxUnverified = 10_000;

/** By network. */
const requests = createAttemptCounter();

export interface SignUpWork {
  readonly id: number;
  readonly signIn: string;
}

export const signUpJob: JobKind<SignUpWork> = {
  name: 'sign-up',
  deadlineSeconds: 60,
  retries: 20,
  firstRetrySeconds: 2,
  maxRetrySeconds: 60,
  concurrency: 2,
  // Two at once would both find that another link may be sent.
  key: ({ signIn }) => signIn,
};

type Input = InputOf<(typeof signUpV2)['signUpRequest']>;

export async function signUpRequest({ app, address }: Visitor, input: Input): Promise<void> {
  const settings = await requireSignUp(app, app.store.queries);
  // First, so that whoever has not done the work causes none, and uses up nobody's attempts.
  const proof = requireSolution(app, input);
  await requireLinks(app);
  await requireCountry(input.country);
  if (input.terms !== settings.terms.version)
    throw invalid({ terms: `must be ${settings.terms.version}, the current version` });
  const now = app.clock.now();
  requests.begin(`${app.instanceId} ${widerNetwork(address)}`, now);
  await app.store.transaction(async (queries) => {
    if (!(await store.proofInsert(queries, proof))) throw expiredChallenge();
    if ((await store.signUpCount(queries, 'Unverified')) >= maxUnverified)
      throw new ApiError('overloaded', { message: 'Too many people are signing up. Try again later.' });
    const signIn = input.email.toLowerCase();
    const id = await store.signUpInsert(queries, {
      ...personColumns(withAddress(input)),
      status: 'Unverified',
      token_hash: null,
      invitation_id: await findInvitation(queries, settings, input, now),
      sign_in: signIn,
      language: input.language ?? '',
      password_hash: null,
      terms_version: settings.terms.version,
      terms_url: settings.terms.url,
      address,
      created_at: now,
      verified_at: null,
      expires_at: now + linkMs,
      reason: '',
    });
    await app.queue.enqueue(queries, signUpJob, { id, signIn });
  });
}

/** Whoever only tries the service need not give a postal address. */
function withAddress(input: Input) {
  const { address1 = '', city = '', state = '', postcode = '' } = input;
  return { ...input, address1, city, state, postcode };
}

async function findInvitation(
  queries: Queries,
  { mode }: SignUpSettings,
  { invitation: token, email }: Input,
  now: number,
): Promise<number | null> {
  if (token === undefined) {
    if (mode === 'invited') throw invalid({ invitation: 'is required: you can sign up only by invitation' });
    return null;
  }
  const invitation = await store.invitationFind(queries, { token_hash: linkTokenHash(token) }, now);
  if (invitation === undefined) throw expiredLink();
  if (invitation.email !== '' && invitation.email.toLowerCase() !== email.toLowerCase())
    throw invalid({ email: 'must be the address that was invited' });
  return invitation.id;
}

type WorkerDeps = Pick<App, 'store' | 'queue' | 'clock' | 'secrets'>;

export function signUpWorker(app: WorkerDeps): JobWorker {
  return jobWorker(signUpJob, async (job) => {
    await job.complete(async (queries) => {
      await store.signUpsRemoveExpired(queries, app.clock.now());
      const signUp = await store.signUpFind(queries, { id: job.payload.id });
      if (signUp === undefined) return;
      const people = await signInCandidates(queries, signUp.sign_in, '');
      // A contact of another account may sign up as well.
      const owner = people.find(({ contact_id }) => contact_id === null);
      const account = owner && (await accountFind(queries, owner.account_id));
      if (owner === undefined || account?.status === 'Closed') return sendLink(app, queries, signUp);
      await store.signUpTake(queries, { id: signUp.id, status: 'Unverified' });
      return remindOwner(app, queries, owner, signUp.address);
    });
  });
}

async function sendLink(app: WorkerDeps, queries: Queries, signUp: store.SignUp): Promise<void> {
  const { id, email, sign_in, language, address } = signUp;
  const now = app.clock.now();
  if ((await store.signUpLinkCount(queries, sign_in, now)) >= maxLinks) {
    await store.signUpTake(queries, { id, status: 'Unverified' });
    return;
  }
  const { token, token_hash } = createLinkToken();
  const expires_at = now + linkMs;
  await store.signUpChange(queries, { id, status: 'Unverified' }, { token_hash, expires_at });
  await queueMail(app, queries, {
    account: providerAccount,
    contact: null,
    address: email,
    language,
    kind: 'signup',
    values: {
      token,
      firstname: withoutLinks(signUp.firstname),
      lastname: withoutLinks(signUp.lastname),
      address,
      until: new Date(expires_at).toISOString(),
    },
  });
}

/** At most once a day, to protect the customer's mailbox. */
async function remindOwner(app: WorkerDeps, queries: Queries, owner: SignIn, address: string): Promise<void> {
  const recent = await mailsRecent(queries, [owner.email], app.clock.now() - dayMs, 100);
  if (recent.some(({ kind }) => kind === 'signupknown')) return;
  await queueMail(app, queries, {
    account: owner.account_id,
    contact: null,
    address: owner.email,
    language: await findLanguage(queries, owner),
    kind: 'signupknown',
    values: { address },
  });
}
