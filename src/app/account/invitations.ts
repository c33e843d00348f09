// Invitations: a contact becomes a sub-account by choosing a password, so that nobody types one for another person.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Invitation as Shape, NewInvitation } from '#contract/shapes/invitation.ts';
import type { invitationV2 } from '#contract/v2/invitation.ts';
import { appendEvent } from '#events/append.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { dayMs, timeText } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import { contactFind, contactLock, contactUpdate, type Contact } from '#store/account/contacts.ts';
import * as store from '#store/account/invitations.ts';
import { serviceLimits } from '#store/account/service-limits.ts';
import { signInPut } from '#store/account/sign-ins.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { serviceList } from '#store/devices/services.ts';
import { mailsCountRecent } from '#store/mail/mails.ts';
import type { Queries } from '#store/store.ts';
import { queueMail } from '../mail/sending.ts';
import { grantServiceLimits } from '../services/visible-services.ts';
import type { App, Context, Visitor } from '../app.ts';
import { getCallersAccount } from './accounts.ts';
import { insertContact, limitFields, requireGrantable, requireGrantableToPeople } from './contacts.ts';
import {
  auditLink,
  createLinkToken,
  expiredLink,
  findLanguage,
  linkTokenHash,
  requireLinks,
  withoutLinks,
} from './links.ts';
import { hashNewPassword } from './new-passwords.ts';
import { visitorLane } from './password-queue.ts';

const validMs = 7 * dayMs;
/** Anyone can be invited, so an account must not become a way to send messages to strangers. */
const dailyMessages = 50;
/** Everybody can sign up, if the provider allows it, and has no service then. */
const dailyMessagesWithoutService = 5;

export async function invitationGet({ app, queries, caller }: Context): Promise<Static<typeof Shape>[]> {
  const now = app.clock.now();
  return (await store.invitationList(queries, caller.account)).map((invitation) => ({
    id: String(invitation.id),
    contact: String(invitation.contact_id),
    firstname: invitation.firstname,
    lastname: invitation.lastname,
    email: invitation.email,
    permissions: invitation.permissions,
    ...limitFields(caller, invitation),
    invitedby: invitation.invited_by,
    sent: timeText(invitation.created_at),
    expires: timeText(invitation.expires_at),
    status: invitation.expires_at > now ? 'Pending' : 'Expired',
  }));
}

export async function invitationCreate(
  context: Context,
  { permissions, services, ...person }: InputOf<(typeof invitationV2)['invitationCreate']>,
): Promise<Static<typeof NewInvitation>> {
  const { queries, caller } = context;
  requireGrantable(context, permissions);
  const requested = services && { services: await grantServiceLimits(context, services) };
  const contact = await findOrCreateContact(context, person);
  const { services: limits } = requested ?? { services: serviceLimits.decode(contact.services) };
  requireGrantableToPeople(context, permissions, limits);
  await requireLinks(context.app);
  if (contact.subaccount === 1) throw conflict('This contact can already sign in.');
  const draft = {
    account_id: caller.account,
    contact_id: contact.id,
    permissions: [...new Set(permissions)].join(','),
    services: serviceLimits.encode(limits),
  };
  const { token, ...link } = await createLink(context, contact);
  const id = await store.invitationInsert(queries, { ...draft, ...link });
  if (id === undefined) throw conflict('This contact is already invited. Send the invitation again, or revoke it.');
  await sendLink(context, contact, { ...link, token });
  context.emit('contact.invited', { contactid: String(contact.id) });
  return { id: String(id), contact: String(contact.id) };
}

type NewPerson = Omit<InputOf<(typeof invitationV2)['invitationCreate']>, 'permissions' | 'services'>;
async function findOrCreateContact(
  context: Context,
  { contact, firstname, lastname, email }: NewPerson,
): Promise<Contact> {
  const { queries, caller } = context;
  if (contact !== undefined) {
    if ((firstname ?? lastname ?? email) !== undefined)
      throw invalid({ contact: 'cannot be combined with the name and address of a new contact' });
    return requireFound(await contactFind(queries, caller.account, contact));
  }
  if (firstname === undefined || lastname === undefined || email === undefined)
    throw invalid({ contact: 'or firstname, lastname and email are required' });
  if (!caller.scopes.has('account:write')) throw new ApiError('scope_missing');
  const place = { address1: '', city: '', state: '', postcode: '', country: '' };
  const id = await insertContact(context, { firstname, lastname, email, ...place }, null);
  return requireFound(await contactFind(queries, caller.account, id));
}

/** The link goes to the contact's current address. Whoever sends it needs the permissions that it grants. */
export async function invitationResend(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  const invitation = requireFound(await store.invitationFind(queries, { account_id: caller.account, id }));
  requireGrantableToPeople(context, invitation.permissions.split(','), serviceLimits.decode(invitation.services));
  await requireLinks(context.app);
  const contact = requireFound(await contactFind(queries, caller.account, invitation.contact_id));
  const { token, ...link } = await createLink(context, contact);
  await store.invitationUpdate(queries, id, link);
  await sendLink(context, contact, { ...link, token });
  context.emit('contact.invited', { contactid: String(contact.id) });
}

export async function invitationDelete({ queries, caller }: Context, id: number): Promise<void> {
  if (!(await store.invitationRemove(queries, caller.account, id))) throw new ApiError('not_found');
}

async function createLink(context: Context, { email }: Contact) {
  const { app, queries, caller } = context;
  const now = app.clock.now();
  const hasService = (await serviceList(queries, caller.account, undefined)).length > 0;
  const limit = hasService ? dailyMessages : dailyMessagesWithoutService;
  // Invitations that are sent at once must not all be the last one.
  await billingAccountLock(queries, caller.account);
  if ((await mailsCountRecent(queries, caller.account, now - dayMs, 'invitation')) >= limit)
    throw conflict(`An account ${hasService ? '' : 'without services '}can send ${limit} invitations per day.`);
  const inviter =
    caller.contact === undefined
      ? await getCallersAccount(context)
      : requireFound(await contactFind(queries, caller.account, caller.contact));
  const invited_by = `${inviter.firstname} ${inviter.lastname}`;
  return { ...createLinkToken(), email, invited_by, created_at: now, expires_at: now + validMs };
}

async function sendLink(
  context: Context,
  contact: Contact,
  { token, invited_by, expires_at }: Awaited<ReturnType<typeof createLink>>,
): Promise<void> {
  const { app, queries, caller } = context;
  const account = await getCallersAccount(context);
  await queueMail(app, queries, {
    account: caller.account,
    contact: contact.id,
    address: contact.email,
    language: await findLanguage(queries, { account_id: caller.account, contact_id: contact.id }),
    kind: 'invitation',
    values: {
      token,
      firstname: withoutLinks(contact.firstname),
      lastname: withoutLinks(contact.lastname),
      inviter: withoutLinks(invited_by),
      account: withoutLinks(
        account.companyname === '' ? `${account.firstname} ${account.lastname}` : account.companyname,
      ),
      until: new Date(expires_at).toISOString(),
    },
  });
}

export async function invitationAccept(
  { app, address, requestId }: Visitor,
  { token, newpassword }: InputOf<(typeof invitationV2)['invitationAccept']>,
): Promise<void> {
  const token_hash = linkTokenHash(token);
  const found = await store.invitationFind(app.store.queries, { token_hash });
  await requireUsable(app, app.store.queries, found, contactFind);
  const password_hash = await hashNewPassword(newpassword, 'newpassword', visitorLane(address, true));
  await app.store.transaction(async (queries) => {
    const invitation = await store.invitationTake(queries, token_hash);
    const { account_id, id: contact_id, email } = await requireUsable(app, queries, invitation, contactLock);
    const { permissions, services } = invitation!;
    const now = app.clock.now();
    await contactUpdate(queries, account_id, contact_id, { password_hash, permissions, services, subaccount: 1 });
    if (!(await signInPut(queries, account_id, contact_id, email, now)))
      throw new ApiError('already_exists', { message: 'This email address is already used to sign in.' });
    await auditLink(queries, { account_id, contact_id }, { address, requestId }, 'v2.invitationAccept', now);
    const data = { contactid: String(contact_id) };
    await appendEvent(app, queries, { account: account_id, type: 'contact.joined', data });
  });
  app.authentication.forget();
}

/** Returns the contact, if the link is valid and was sent to their current address. */
async function requireUsable(
  app: App,
  queries: Queries,
  invitation: store.Invitation | undefined,
  readContact: typeof contactFind,
): Promise<Contact> {
  if (invitation === undefined || invitation.expires_at <= app.clock.now()) throw expiredLink();
  const { account_id, contact_id, email } = invitation;
  const contact = await readContact(queries, account_id, contact_id);
  const account = await accountFind(queries, account_id);
  if (contact === undefined || contact.email !== email || contact.subaccount === 1 || account?.status === 'Closed')
    throw expiredLink();
  return contact;
}
