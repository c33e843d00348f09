// Single sign-on of an account's people through the provider that the account chose. A provider can sign in contacts of its
// account only: an identity is bound to account and issuer, and never is the account itself.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { Session } from '#contract/shapes/session.ts';
import type { SignOnFlow } from '#contract/shapes/sign-on.ts';
import type { signOnV2 } from '#contract/v2/sign-on.ts';
import { appendEvent } from '#events/append.ts';
import { ApiError, requireFound } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind, accountLock, providerAccount } from '#store/account/accounts.ts';
import * as contacts from '#store/account/contacts.ts';
import { keysEndSessions } from '#store/account/keys.ts';
import { signInOf, signInPut } from '#store/account/sign-ins.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/sign-on/sign-on.ts';
import type { Queries } from '#store/store.ts';
import { contactsPerAccount } from '../account/contacts.ts';
import { recordFailedSignIn } from '../account/failed-sign-ins.ts';
import { openSession } from '../account/open-session.ts';
import { contactDefaults } from '../account/person-columns.ts';
import type { App, Visitor } from '../app.ts';
import { findAccountProvider, type AccountProvider } from './account-settings.ts';
import { claimValues, emailOf, toName, type ClaimedEmail } from './claims.ts';
import { beginFlow, completeFlow } from './flows.ts';
import { noEmailMessage, signOnFailed, type Claims } from './provider.ts';

export async function signOnBegin(
  visitor: Visitor,
  { email, account }: InputOf<typeof signOnV2.signOnBegin>,
): Promise<Static<typeof SignOnFlow>> {
  const { app } = visitor;
  const { queries } = app.store;
  const accounts = await store.accountsOfDomain(queries, email.slice(email.lastIndexOf('@') + 1).toLowerCase());
  const chosen = account === undefined ? accounts[0] : accounts.find((id) => id === account);
  const provider = chosen === undefined ? undefined : await findAccountProvider(app, queries, chosen);
  return beginFlow(visitor, requireFound(provider, 'Single sign-on is not available for this email address.'), email);
}

export async function signOnComplete(
  visitor: Visitor,
  input: InputOf<typeof signOnV2.signOnComplete>,
): Promise<Static<typeof Session>> {
  const { app } = visitor;
  const { settings, claims } = await completeFlow(visitor, input, async (account) =>
    account === providerAccount ? undefined : findAccountProvider(app, app.store.queries, account),
  );
  const account_id = settings.account;
  const outcome = await app.store.transaction(async (queries) => {
    await holdProvider(queries, settings);
    // The flow may have begun before the account was closed.
    if ((await accountLock(queries, account_id))?.status === 'Closed') throw new ApiError('account_closed');
    return admitContact(app, queries, settings, claims);
  });
  app.authentication.forget();
  if ('refusal' in outcome) {
    recordFailedSignIn(visitor, { account_id, contact_id: outcome.contact, operation: 'v2.signOnComplete' });
    throw outcome.refusal;
  }
  return openSession(
    visitor,
    { account_id, contact_id: outcome.contact },
    {
      operation: 'v2.signOnComplete',
      method: 'sign-on',
      async spend(queries) {
        await holdProvider(queries, settings);
        // Somebody may have deleted the contact since it was admitted.
        if ((await contacts.contactFind(queries, account_id, outcome.contact)) === undefined)
          throw signOnFailed(removedMessage);
      },
    },
  );
}

/** A provider can take its time to respond, and must admit nobody once the account has removed it. */
async function holdProvider(queries: Queries, { account, updatedAt }: AccountProvider): Promise<void> {
  if (!(await store.providerHold(queries, account, updatedAt)))
    throw signOnFailed('The single sign-on settings of this account have changed. Start again.');
}

const removedMessage = 'Your access was removed. Ask an owner of the account.';

type Outcome = { readonly contact: number } | { readonly refusal: ApiError; readonly contact: number | null };

/** Finds or creates the contact and sets the permissions. A refusal is returned, because the sessions that it ends must stay ended. */
async function admitContact(app: App, queries: Queries, provider: AccountProvider, claims: Claims): Promise<Outcome> {
  const { account, issuer, claim, grants } = provider;
  const key = { account_id: account, issuer, subject: claims.sub };
  const known = (await store.identityFind(queries, key))?.contact_id ?? null;
  const refuse = async (message: string): Promise<Outcome> => {
    if (known !== null) await withdrawAccess(app, queries, { account_id: account, contact_id: known });
    return { refusal: signOnFailed(message), contact: known };
  };
  const email = emailOf(claims);
  if (email === undefined) return refuse(noEmailMessage);
  const domain = await store.domainFind(queries, account, email.domain);
  if (domain?.verified_at == null) return refuse('Your email address does not belong to a domain of this account.');
  const values = claimValues(claims, claim);
  const granted = grants.filter(({ value }) => values.has(value)).flatMap((grant) => grant.permissions);
  if (granted.length === 0) return refuse('You are not in a group that has access. Ask an owner of the account.');
  const permissions = [...new Set(granted)].join(',');
  const id = known ?? (await createOrLink(app, queries, provider, { email, claims, permissions }));
  if (id === undefined)
    return refuse('This email address belongs to someone who signs in another way. Ask an owner of the account.');
  const contact = await contacts.contactFind(queries, account, id);
  if (contact?.status !== 'Active' || (known !== null && contact.subaccount === 0)) return refuse(removedMessage);
  if (known === null)
    await store.identityInsert(queries, { ...key, contact_id: id, operator_id: null, created_at: app.clock.now() });
  if (contact.permissions !== permissions || contact.subaccount === 0)
    await changePermissions(app, queries, { account_id: account, contact_id: id }, { permissions, subaccount: 1 });
  return { contact: id };
}

/** Ends the sessions of a person whom the provider no longer admits, and leaves their API keys nothing to do. */
async function withdrawAccess(app: App, queries: Queries, person: ContactPerson): Promise<void> {
  await keysEndSessions(queries, person, app.clock.now());
  const contact = await contacts.contactFind(queries, person.account_id, person.contact_id);
  if (contact !== undefined && contact.permissions !== '')
    await changePermissions(app, queries, person, { permissions: '' });
}

interface ContactPerson {
  readonly account_id: AccountId;
  readonly contact_id: number;
}

async function changePermissions(
  app: App,
  queries: Queries,
  { account_id: account, contact_id: id }: ContactPerson,
  change: contacts.ContactChange,
): Promise<void> {
  await contacts.contactUpdate(queries, account, id, change);
  const data = { contactid: String(id), changed: ['permissions'] };
  await appendEvent(app, queries, { account, type: 'contact.updated', data });
}

interface NewPerson {
  readonly email: ClaimedEmail;
  readonly claims: Claims;
  readonly permissions: string;
}

/** Returns a contact of this account with the address: a new one, or one that the issuer does not know yet. */
async function createOrLink(
  app: App,
  queries: Queries,
  { account, issuer }: AccountProvider,
  person: NewPerson,
): Promise<number | undefined> {
  const { email } = person.email;
  const owner = await signInOf(queries, { account_id: account, contact_id: null });
  if (owner?.email === email) return undefined;
  // A contact that is added in another way at the same time must not take the same last place.
  await billingAccountLock(queries, account);
  const existing = (await contacts.contactList(queries, account)).find(
    (contact) => contact.email.toLowerCase() === email,
  );
  const holder = { account_id: account, issuer, contact_id: existing?.id ?? null, operator_id: null };
  if (existing !== undefined && (await store.hasIdentity(queries, holder))) return undefined;
  if (existing === undefined && (await contacts.contactCount(queries, account)) >= contactsPerAccount) return undefined;
  const id = existing?.id ?? (await createContact(app, queries, account, person));
  return (await signInPut(queries, account, id, email, app.clock.now())) ? id : undefined;
}

/** The provider knows no postal address, so that of the account is used. */
async function createContact(
  app: App,
  queries: Queries,
  account: AccountId,
  { email, claims, permissions }: NewPerson,
): Promise<number> {
  const { companyname, address1, address2, city, state, postcode, country } = (await accountFind(queries, account))!;
  const id = await contacts.contactInsert(queries, account, {
    firstname: toName(claims['given_name']) ?? toName(email.localPart) ?? '',
    lastname: toName(claims['family_name']) ?? '',
    email: email.email,
    phonenumber: '',
    password_hash: null,
    companyname,
    address1,
    address2,
    city,
    state,
    postcode,
    country,
    ...contactDefaults,
    subaccount: 1,
    permissions,
    created_at: app.clock.now(),
  });
  await appendEvent(app, queries, { account, type: 'contact.created', data: { contactid: String(id) } });
  return id;
}
