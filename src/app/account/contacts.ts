// Contacts: people of the account whom the provider may write to, and, as sub-accounts, who may sign in.
import type { Static } from 'typebox';
import type { Contact as ContactShape, mailFlags } from '#contract/shapes/account.ts';
import { grantedScopes, type Scope } from '#contract/scopes.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { signInPut, signInRemove } from '#store/account/sign-ins.ts';
import * as store from '#store/account/contacts.ts';
import type { Person } from '#store/account/people.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import { newContact, personColumns } from './person-columns.ts';
import { factorsForget, sessionsEnd } from './second-factors.ts';
import type { Context } from '../yard.ts';

type Shape = Static<typeof ContactShape>;

const contactsPerAccount = 10_000;

export interface ContactFields {
  readonly firstname: string;
  readonly lastname: string;
  readonly company?: string;
  readonly email: string;
  /** Hashed already: it was hashed before the transaction began, which is no place for slow work. */
  readonly password: PasswordHash;
  readonly phone?: string;
  readonly address1: string;
  readonly address2?: string;
  readonly city: string;
  readonly state: string;
  readonly zipcode: string;
  readonly country: string;
}

export async function contactGet(context: Context, id: number | undefined): Promise<Shape[]> {
  const { queries, caller } = context;
  if (id === undefined) return (await store.contactList(queries, caller.account)).map(shown);
  return [shown(await found(context, id))];
}

export async function contactRoom({ queries, caller }: Context): Promise<void> {
  if ((await store.contactCount(queries, caller.account)) >= contactsPerAccount)
    throw new Fault('state_conflict', { message: `An account has at most ${contactsPerAccount} contacts.` });
}

export async function contactCreate(context: Context, fields: ContactFields): Promise<{ contactid: string }> {
  await contactRoom(context);
  const id = await store.contactInsert(context.queries, context.caller.account, {
    ...personColumns({ ...fields, postcode: fields.zipcode }),
    ...newContact,
    password_hash: fields.password,
    created_at: context.yard.clock.now(),
  });
  const contactid = String(id);
  context.tell('contact.created', { contactid });
  return { contactid };
}

/** Changes what is given. Something must be. */
export async function contactUpdate(
  context: Context,
  id: number,
  fields: Partial<ContactFields>,
): Promise<{ contactid: string }> {
  const { company, password, phone, zipcode, country, ...sameName } = fields;
  const change: store.ContactChange = {
    ...sameName,
    ...(company === undefined ? {} : { companyname: company }),
    ...(phone === undefined ? {} : { phonenumber: phone }),
    ...(zipcode === undefined ? {} : { postcode: zipcode }),
    ...(country === undefined ? {} : { country: country.toUpperCase() }),
    ...(password === undefined ? {} : { password_hash: password }),
  };
  if (Object.keys(change).length === 0)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  if (change.password_hash !== undefined || change.email !== undefined)
    checkMayBecome(context, await found(context, id));
  if (!(await store.contactUpdate(context.queries, context.caller.account, id, change))) throw new Fault('not_found');
  if (change.email !== undefined) await moveSignIn(context, id);
  if (change.password_hash !== undefined) await sessionsEnd(context, personOf(context, id));
  const contactid = String(id);
  context.tell('contact.updated', { contactid, changed: given(fields) });
  return { contactid };
}

export async function contactDelete(context: Context, id: number): Promise<{ contactid: string }> {
  if (!(await store.contactRemove(context.queries, context.caller.account, id))) throw new Fault('not_found');
  context.afterCommit(() => context.yard.authentication.forget());
  const contactid = String(id);
  context.tell('contact.deleted', { contactid });
  return { contactid };
}

export interface ContactSettings extends Partial<Record<(typeof mailFlags)[number], boolean>> {
  readonly subaccount?: boolean;
  readonly permissions?: readonly Scope[];
  /** Second factor and passkeys. */
  readonly forgetfactors?: boolean;
}

export async function contactSettings(context: Context, id: number, settings: ContactSettings): Promise<void> {
  const { subaccount, permissions, forgetfactors, ...mails } = settings;
  checkGrant(context, permissions ?? []);
  const change: store.ContactChange = {
    ...Object.fromEntries(Object.entries(mails).map(([name, value]) => [name, value ? 1 : 0])),
    ...(subaccount === undefined ? {} : { subaccount: subaccount ? 1 : 0 }),
    ...(permissions === undefined ? {} : { permissions: [...new Set(permissions)].join(',') }),
  };
  if (forgetfactors === true) await forgetFactors(context, id);
  else if (Object.keys(change).length === 0)
    throw new Fault('invalid_parameter', { message: 'There is nothing to change.' });
  if (subaccount === true && permissions === undefined)
    checkGrant(context, (await found(context, id)).permissions.split(','));
  if (Object.keys(change).length > 0) await changeSettings(context, id, change);
  if (subaccount === false) await sessionsEnd(context, personOf(context, id));
  context.afterCommit(() => context.yard.authentication.forget());
  context.tell('contact.updated', { contactid: String(id), changed: given(settings) });
}

async function changeSettings(context: Context, id: number, change: store.ContactChange): Promise<void> {
  if (!(await store.contactUpdate(context.queries, context.caller.account, id, change))) throw new Fault('not_found');
  await moveSignIn(context, id);
}

/** Who has signed in as this very person shows password or code instead. */
async function forgetFactors(context: Context, id: number): Promise<void> {
  checkMayBecome(context, await found(context, id));
  if (context.caller.contact === id)
    throw new Fault('state_conflict', {
      message: 'End your own with DELETE /v2/session/totp and /v2/session/passkey.',
    });
  await factorsForget(context, personOf(context, id));
}

function personOf({ caller }: Context, id: number): Person {
  return { account_id: caller.account, contact_id: id };
}

/** The names of what the caller gave. */
function given(fields: object): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
}

function checkGrant({ caller }: Context, names: readonly string[]): void {
  const beyond = [...grantedScopes(names)].filter((scope) => !caller.scopes.has(scope));
  if (beyond.length > 0) throw new Fault('scope_missing', { message: `Your key cannot grant ${beyond.join(', ')}.` });
}

/** Who changes the password or address of a person can sign in as that person, so must be allowed as much. */
function checkMayBecome(context: Context, contact: store.Contact): void {
  if (contact.subaccount === 1) checkGrant(context, contact.permissions.split(','));
}

/** A sub-account signs in with its present e-mail address; who is none does not sign in. */
async function moveSignIn(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  const contact = await found(context, id);
  if (contact.subaccount === 0) return signInRemove(queries, caller.account, id);
  if (contact.password_hash === null) throw invalid({ subaccount: 'needs a password first' });
  if (!(await signInPut(queries, caller.account, id, contact.email))) {
    throw new Fault('already_exists', { message: 'Somebody else signs in with this e-mail address.' });
  }
}

async function found(context: Context, id: number): Promise<store.Contact> {
  const contact = await store.contactFind(context.queries, context.caller.account, id);
  if (contact === undefined) throw new Fault('not_found');
  return contact;
}

function shown(contact: store.Contact): Shape {
  const flag = (value: number): '0' | '1' => (value === 1 ? '1' : '0');
  return {
    id: String(contact.id),
    firstname: contact.firstname,
    lastname: contact.lastname,
    companyname: contact.companyname,
    email: contact.email,
    address1: contact.address1,
    address2: contact.address2,
    city: contact.city,
    state: contact.state,
    postcode: contact.postcode,
    country: contact.country,
    phonenumber: contact.phonenumber,
    subaccount: flag(contact.subaccount),
    permissions: contact.permissions,
    domainemails: flag(contact.domainemails),
    generalemails: flag(contact.generalemails),
    invoiceemails: flag(contact.invoiceemails),
    productemails: flag(contact.productemails),
    supportemails: flag(contact.supportemails),
    affiliateemails: flag(contact.affiliateemails),
    status: contact.status,
  };
}
