// Sign-ups as staff see them: approved or rejected, and invitations to sign up.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { signUpOperator } from '#contract/operator/sign-up.ts';
import type { NewSignUpInvitation, SignUp, SignUpInvitation } from '#contract/shapes/sign-up.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { dayMs, optionalTimeText, timeText } from '#lib/time.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { auditAppend } from '#store/account/audit.ts';
import * as store from '#store/account/sign-ups.ts';
import { createLinkToken, requireLinks } from '../account/links.ts';
import { pickPerson } from '../account/person-columns.ts';
import { queueMail } from '../mail/sending.ts';
import type { Context } from '../app.ts';
import { pageLength } from '../operator/accounts.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { createAccount } from './accounts.ts';
import { requireSignUp } from './settings.ts';

const invitationDays = 14;
const maxInvitations = 1000;
/** So that staff can look up whom they rejected and why. */
const rejectedMs = 30 * dayMs;

export async function signUpList(
  { queries }: Context,
  { status, before, limit = pageLength }: InputOf<typeof signUpOperator.signUpList>,
): Promise<Static<typeof SignUp>[]> {
  return (await store.signUpList(queries, { status, before, limit })).map((signUp) => ({
    id: String(signUp.id),
    status: signUp.status,
    ...pickPerson(signUp),
    language: signUp.language,
    termsversion: signUp.terms_version,
    address: signUp.address,
    created: timeText(signUp.created_at),
    verified: optionalTimeText(signUp.verified_at),
    expires: timeText(signUp.expires_at),
    reason: signUp.reason,
  }));
}

/** Also after sign-up was turned off: who waits has done everything that was asked. */
export async function signUpApprove(context: Context, id: number): Promise<string> {
  const { app, queries } = context;
  requireFound(await store.signUpFind(queries, { id }), 'Sign-up not found.');
  const signUp = await store.signUpTake(queries, { id, status: 'Waiting' });
  if (signUp === undefined) throw notWaiting();
  const site = requireFound(await loadSiteSettings(app, queries));
  const account = await createAccount(app, queries, site, signUp);
  // The account's audit log begins with what the person did.
  await auditAppend(queries, {
    account_id: account,
    contact_id: null,
    key_id: null,
    at: app.clock.now(),
    address: signUp.address,
    operation: 'v2.signUpComplete',
    target: `terms=${signUp.terms_version}`,
    outcome: 'success',
    request_id: '',
  });
  context.onBehalfOf(account);
  await queueMail(app, queries, {
    account,
    contact: null,
    address: signUp.email,
    language: signUp.language,
    kind: 'signupapproved',
    values: {},
  });
  return String(account);
}

export async function signUpReject({ app, queries }: Context, id: number, reason: string): Promise<void> {
  const signUp = requireFound(await store.signUpFind(queries, { id }), 'Sign-up not found.');
  const rejection = {
    status: 'Rejected',
    reason,
    password_hash: null,
    expires_at: app.clock.now() + rejectedMs,
  } as const;
  if (!(await store.signUpChange(queries, { id, status: 'Waiting' }, rejection))) throw notWaiting();
  await queueMail(app, queries, {
    account: providerAccount,
    contact: null,
    address: signUp.email,
    language: signUp.language,
    kind: 'signuprejected',
    values: { firstname: signUp.firstname, lastname: signUp.lastname, reason },
  });
}

function notWaiting(): ApiError {
  return conflict('This sign-up is not waiting for approval.');
}

export async function invitationList({ app, queries }: Context): Promise<Static<typeof SignUpInvitation>[]> {
  return (await store.invitationList(queries, app.clock.now())).map((invitation) => ({
    id: String(invitation.id),
    email: invitation.email,
    invitedby: invitation.invited_by,
    created: timeText(invitation.created_at),
    expires: timeText(invitation.expires_at),
  }));
}

export async function invitationCreate(
  { app, queries, caller }: Context,
  { email = '', language = '', days = invitationDays }: InputOf<typeof signUpOperator.signUpInvitationCreate>,
): Promise<Static<typeof NewSignUpInvitation>> {
  const { mode } = await requireSignUp(app, queries);
  if (mode === 'open') throw conflict('Anyone can sign up, so invitations are not needed.');
  await requireLinks(app);
  const now = app.clock.now();
  if ((await store.invitationList(queries, now)).length >= maxInvitations)
    throw conflict(`There can be at most ${maxInvitations} open invitations. Revoke some first.`);
  const { token, token_hash } = createLinkToken();
  const expires_at = now + days * dayMs;
  const invited_by = caller.operator!.name;
  const id = await store.invitationInsert(queries, { token_hash, email, invited_by, created_at: now, expires_at });
  if (email !== '')
    await queueMail(app, queries, {
      account: providerAccount,
      contact: null,
      address: email,
      language,
      kind: 'signupinvited',
      values: { token, until: new Date(expires_at).toISOString() },
    });
  const { url = '' } = (await app.mailer.settings()) ?? {};
  const link = `${url.replace(/\/$/, '')}/panel/sign-up#${token}`;
  return { id: String(id), link, expires: timeText(expires_at) };
}

export async function invitationDelete({ queries }: Context, id: number): Promise<void> {
  if (!(await store.invitationRemove(queries, id))) throw new ApiError('not_found');
}
