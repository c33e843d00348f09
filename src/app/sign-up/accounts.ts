// From a verified address to an account. The account, its sign-in, the terms that it accepted and the first entry of its
// audit log are one transaction, in which the request is deleted.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { SignUpOutcome } from '#contract/shapes/sign-up.ts';
import type { signUpV2 } from '#contract/v2/sign-up.ts';
import { ApiError } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import { signInPut } from '#store/account/sign-ins.ts';
import * as store from '#store/account/sign-ups.ts';
import { mailsRecent } from '#store/mail/mails.ts';
import { choicesPut } from '#store/mail/recipients.ts';
import { accountInsert } from '#store/operator/operator-accounts.ts';
import type { Queries } from '#store/store.ts';
import { expiredLink, linkTokenHash, withoutLinks } from '../account/links.ts';
import { hashNewPassword } from '../account/new-passwords.ts';
import { visitorLane } from '../account/password-queue.ts';
import { pickPerson } from '../account/person-columns.ts';
import { recordOrderCountry } from '../billing/tax/evidence.ts';
import { queueMail } from '../mail/sending.ts';
import type { App, Visitor } from '../app.ts';
import { requireSignUp, type SignUpSettings } from './settings.ts';

/** How long staff have to decide. */
const waitingMs = 90 * 86_400_000;
/** Staff are notified at most this often. */
const noticeMs = 3_600_000;

export async function signUpComplete(
  { app, address, requestId, proxyHeader }: Visitor,
  { token, newpassword }: InputOf<(typeof signUpV2)['signUpComplete']>,
): Promise<Static<typeof SignUpOutcome>> {
  const token_hash = linkTokenHash(token);
  await requireSignUp(app, app.store.queries);
  // A hash takes a while, so only for a link that can be used.
  requireUsable(app, await store.signUpFind(app.store.queries, { token_hash }));
  const password_hash = await hashNewPassword(newpassword, 'newpassword', visitorLane(address, true));
  return app.store.transaction(async (queries) => {
    const settings = await requireSignUp(app, queries);
    // Of two with the same link at once, one is rejected here.
    const taken = await store.signUpTake(queries, { token_hash, status: 'Unverified' });
    const signUp = { ...requireUsable(app, taken), password_hash };
    const isInvited = await useInvitation(app, queries, settings, signUp);
    if (settings.mode === 'approved' && !isInvited) {
      await awaitApproval(app, queries, settings, signUp);
      return { status: 'Waiting', account: '', email: signUp.email };
    }
    const account = await createAccount(app, queries, settings, signUp);
    const by = { key_id: null, at: app.clock.now(), address, operation: 'v2.signUpComplete', request_id: requestId };
    await recordOrderCountry(queries, account, { proxyHeader }, app.clock.now());
    const target = `terms=${signUp.terms_version}`;
    await auditAppend(queries, { ...by, account_id: account, contact_id: null, target, outcome: 'success' });
    return { status: 'Active', account: String(account), email: signUp.email };
  });
}

function requireUsable(app: App, signUp: store.SignUp | undefined): store.SignUp {
  if (signUp === undefined || signUp.expires_at <= app.clock.now()) throw expiredLink();
  return signUp;
}

/** Uses up the invitation. If two people were sent the same one, the first to choose a password gets the account. */
async function useInvitation(
  app: App,
  queries: Queries,
  { mode }: SignUpSettings,
  { invitation_id }: store.SignUp,
): Promise<boolean> {
  const invitation =
    invitation_id === null ? undefined : await store.invitationFind(queries, { id: invitation_id }, app.clock.now());
  const isUsed = invitation !== undefined && (await store.invitationRemove(queries, invitation.id));
  if (mode === 'invited' && !isUsed) throw expiredLink();
  return isUsed;
}

async function awaitApproval(
  app: App,
  queries: Queries,
  { notify }: SignUpSettings,
  taken: store.SignUp,
): Promise<void> {
  const now = app.clock.now();
  const { id: _, ...signUp } = taken;
  // One per address waits: the newest.
  await store.signUpsRemove(queries, signUp.sign_in);
  const waiting = { status: 'Waiting', token_hash: null, invitation_id: null } as const;
  await store.signUpInsert(queries, { ...signUp, ...waiting, verified_at: now, expires_at: now + waitingMs });
  if (notify === undefined) return;
  const recent = await mailsRecent(queries, [notify], now - noticeMs, 100);
  if (recent.some(({ kind }) => kind === 'signupwaiting')) return;
  const person = withoutLinks(`${signUp.firstname} ${signUp.lastname}`);
  await queueMail(app, queries, {
    account: providerAccount,
    contact: null,
    address: notify,
    language: '',
    kind: 'signupwaiting',
    values: { person, email: signUp.email },
  });
}

/** The new account owes nothing, has nothing, and its owner has every permission in it. */
export async function createAccount(
  app: Pick<App, 'clock'>,
  queries: Queries,
  { provider }: Pick<SignUpSettings, 'provider'>,
  signUp: store.SignUp,
): Promise<AccountId> {
  const { email, sign_in, language, terms_version, terms_url, created_at, address } = signUp;
  const now = app.clock.now();
  const { code, prefix = '', suffix = '' } = provider.currency;
  const account = await accountInsert(queries, {
    ...pickPerson(signUp),
    currency: code,
    currency_prefix: prefix,
    currency_suffix: suffix,
    status: 'Active',
    password_hash: signUp.password_hash,
    password_temporary_until: null,
    created_at: now,
  });
  if (!(await signInPut(queries, account, null, email, now)))
    throw new ApiError('already_exists', { message: 'This email address is already used to sign in.' });
  const terms = { account_id: account, version: terms_version, url: terms_url, accepted_at: created_at, address };
  await store.termsInsert(queries, terms);
  if (language !== '') await choicesPut(queries, account, undefined, { language, off: [] });
  await store.signUpsRemove(queries, sign_in);
  return account;
}
