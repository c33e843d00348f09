// Contacts of an account: people whom the provider notifies and who, as sub-accounts, can sign in.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { PasswordHash } from '#contract/parameters.ts';
import type { Contact as ContactShape } from '#contract/shapes/account.ts';
import type { accountV2 } from '#contract/v2/account.ts';
import { grantedScopes } from '#contract/scopes.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { signInOf, signInPut, signInRemove } from '#store/account/sign-ins.ts';
import * as store from '#store/account/contacts.ts';
import { invitationFind, invitationUpdate } from '#store/account/invitations.ts';
import type { Person } from '#store/account/people.ts';
import {
  contactDefaults,
  personColumns,
  pickPerson,
  requireCountry,
  type CountryField,
  type PersonFields,
} from './person-columns.ts';
import { serviceLimits } from '#store/account/service-limits.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { removeSecondFactors, endSessions } from './second-factors.ts';
import { requireContained } from '../dns/limits.ts';
import { areLimitsWithin, limitIds, requireLimitsWithin, type ServiceLimits } from '../services/limits.ts';
import { grantServiceLimits } from '../services/visible-services.ts';
import type { Caller } from '../caller.ts';
import type { Context } from '../app.ts';

type Shape = Static<typeof ContactShape>;
type NewContact = InputOf<(typeof accountV2)['contactCreate']>;
type ContactChange = Omit<InputOf<(typeof accountV2)['contactUpdate']>, 'id'>;
type ContactSettings = Omit<InputOf<(typeof accountV2)['contactSettings']>, 'id'>;

export const contactsPerAccount = 10_000;

export async function contactGet(context: Context, id: number | undefined): Promise<Shape[]> {
  const { queries, caller } = context;
  const contacts =
    id === undefined ? await store.contactList(queries, caller.account) : [await getContact(context, id)];
  return contacts.map((contact) => contactShape(context, contact));
}

export async function contactCreate(
  context: Context,
  fields: NewContact,
  countryField?: CountryField,
): Promise<{ contactid: string }> {
  await requireCountry(fields.country, undefined, countryField);
  return { contactid: String(await insertContact(context, { ...fields, postcode: fields.zipcode }, fields.password)) };
}

export async function insertContact(
  context: Context,
  person: PersonFields,
  password_hash: PasswordHash | null,
): Promise<number> {
  const { queries, caller } = context;
  // Two calls at once must not both take the last place of the account.
  await billingAccountLock(queries, caller.account);
  if ((await store.contactCount(queries, caller.account)) >= contactsPerAccount)
    throw conflict(`An account can have at most ${contactsPerAccount} contacts. Remove one first.`);
  const id = await store.contactInsert(queries, caller.account, {
    ...personColumns(person),
    ...contactDefaults,
    services: serviceLimits.encode(caller.services),
    password_hash,
    created_at: context.app.clock.now(),
  });
  context.emit('contact.created', { contactid: String(id) });
  return id;
}

/** Changes the given fields, of which there must be at least one. */
export async function contactUpdate(
  context: Context,
  id: number,
  fields: ContactChange,
  countryField?: CountryField,
): Promise<{ contactid: string }> {
  const { subaccount, permissions, limited, services, status, domainemails, generalemails, ...others } = fields;
  const { invoiceemails, productemails, supportemails, affiliateemails, ...changeable } = others;
  const emails = { domainemails, generalemails, invoiceemails, productemails, supportemails, affiliateemails };
  await rejectChanged(context, id, pickDefined({ subaccount, permissions, limited, services, status, ...emails }));
  const { company, password, phone, zipcode, country, ...sameName } = changeable;
  const change = pickDefined({
    ...sameName,
    companyname: company,
    phonenumber: phone,
    postcode: zipcode,
    country: country?.toUpperCase(),
    password_hash: password,
  });
  if (Object.keys(change).length === 0)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Give at least one field.' });
  if (country !== undefined)
    await requireCountry(country, async () => (await getContact(context, id)).country, countryField);
  if (change.password_hash !== undefined || change.email !== undefined) {
    requirePermissionsOf(context, await lockContact(context, id));
    // A stolen session, or a key, must not be enough to take over its person.
    if (context.caller.contact === id)
      throw conflict(
        'Change your own password in your security settings, and let a colleague change your email address.',
      );
  }
  await writeChange(context, id, change);
  if (change.email !== undefined) await updateSignIn(context, id);
  if (change.password_hash !== undefined) await endSessions(context, personOf(context, id));
  const contactid = String(id);
  context.emit('contact.updated', { contactid, changed: Object.keys(pickDefined(changeable)) });
  return { contactid };
}

/** Rejects values other than the contact's own. */
async function rejectChanged(context: Context, id: number, fields: Readonly<Record<string, string>>): Promise<void> {
  if (Object.keys(fields).length === 0) return;
  const contact = contactShape(context, await getContact(context, id));
  const changed = Object.entries(fields).filter(([name, value]) => value !== contact[name as keyof Shape]);
  if (changed.length > 0) throw invalid(Object.fromEntries(changed.map(([name]) => [name, 'must be unchanged'])));
}

export async function contactDelete(context: Context, id: number): Promise<{ contactid: string }> {
  requireManageable(context, await getContact(context, id));
  if (!(await store.contactRemove(context.queries, context.caller.account, id))) throw new ApiError('not_found');
  context.afterCommit(() => context.app.authentication.forget());
  const contactid = String(id);
  context.emit('contact.deleted', { contactid });
  return { contactid };
}

export async function contactSettings(context: Context, id: number, settings: ContactSettings): Promise<void> {
  const { queries, caller } = context;
  const { permissions, services, forgetfactors, password: _, code: __, passkey: ___, ...flags } = settings;
  const limits = services && { services: await grantServiceLimits(context, services) };
  // A colleague may be giving the contact more permissions than the caller has.
  const contact = await lockContact(context, id);
  if (flags.subaccount === false) requireManageable(context, contact);
  if (permissions !== undefined || limits !== undefined || flags.subaccount === true)
    requireGrantableAccess(context, contact, { permissions, limits });
  const access = {
    ...(permissions && { permissions: [...new Set(permissions)].join(',') }),
    ...(limits && { services: serviceLimits.encode(limits.services) }),
  };
  // Accepting an invitation must not give back what was taken away since it was sent.
  const invitation = await invitationFind(queries, { account_id: caller.account, contact_id: id });
  if (invitation !== undefined && Object.keys(access).length > 0) {
    requireGrantableAccess(context, invitation, { permissions, limits });
    await invitationUpdate(queries, invitation.id, access);
  }
  const change: store.ContactChange = {
    ...Object.fromEntries(Object.entries(pickDefined(flags)).map(([name, value]) => [name, value ? 1 : 0])),
    ...access,
  };
  if (forgetfactors === true) await removeFactors(context, id);
  else if (Object.keys(change).length === 0)
    throw new ApiError('invalid_parameter', { message: 'Nothing to change. Give at least one setting.' });
  if (Object.keys(change).length > 0) {
    await writeChange(context, id, change);
    await updateSignIn(context, id);
  }
  if (flags.subaccount === false) await endSessions(context, personOf(context, id));
  context.afterCommit(() => context.app.authentication.forget());
  context.emit('contact.updated', {
    contactid: String(id),
    changed: Object.keys(pickDefined({ permissions, services, forgetfactors, ...flags })),
  });
}

interface Access {
  readonly permissions: readonly string[] | undefined;
  readonly limits: { readonly services: ServiceLimits } | undefined;
}
/** What a contact may do, or will once the invitation is accepted. */
type Granted = Pick<store.Contact, 'permissions' | 'services'>;
/** Whoever is limited to services manages only people who are limited to the same. */
function requireManageable({ caller }: Context, { services }: Granted): void {
  requireLimitsWithin(caller.services, serviceLimits.decode(services));
}

/** Callers give people no more than they have themselves. To limit a person further needs no permission of that person. */
function requireGrantableAccess(context: Context, granted: Granted, { permissions, limits }: Access): void {
  requireManageable(context, granted);
  const current = serviceLimits.decode(granted.services);
  const { services } = limits ?? { services: current };
  const isNarrowed = limits !== undefined && areLimitsWithin(current, services);
  requireGrantableToPeople(context, permissions ?? (isNarrowed ? [] : granted.permissions.split(',')), services);
}

async function writeChange(context: Context, id: number, change: store.ContactChange): Promise<void> {
  if (!(await store.contactUpdate(context.queries, context.caller.account, id, change)))
    throw new ApiError('not_found');
}

/** People remove their own second factors with their password or a code instead. */
async function removeFactors(context: Context, id: number): Promise<void> {
  requirePermissionsOf(context, await getContact(context, id));
  if (context.caller.contact === id) throw conflict('Remove your own second factors in your security settings.');
  await removeSecondFactors(context, personOf(context, id));
}

function personOf({ caller }: Context, id: number): Person {
  return { account_id: caller.account, contact_id: id };
}

export function requireGrantable({ caller }: Context, names: readonly string[]): void {
  const excess = [...grantedScopes(names)].filter((scope) => !caller.scopes.has(scope));
  if (excess.length > 0)
    throw new ApiError('scope_missing', { message: `Your key cannot grant ${excess.join(', ')}.` });
}

/** People have no limits in the DNS, so a key that has some cannot grant them access to it. */
export function requireGrantableToPeople(context: Context, names: readonly string[], services: ServiceLimits): void {
  requireGrantable(context, names);
  requireLimitsWithin(context.caller.services, services);
  if ([...grantedScopes(names)].some((scope) => scope.startsWith('dns:')))
    requireContained(context.caller.dnsLimits, undefined);
}

/**
 * Whoever sets the password or email address of a person can sign in as that person, so needs the same permissions.
 */
function requirePermissionsOf(context: Context, contact: store.Contact): void {
  if (contact.subaccount === 1)
    requireGrantableToPeople(context, contact.permissions.split(','), serviceLimits.decode(contact.services));
}

/** Only sub-accounts can sign in, with their current email address. */
async function updateSignIn(context: Context, id: number): Promise<void> {
  const { queries, caller } = context;
  const contact = await getContact(context, id);
  if (contact.subaccount === 0) return signInRemove(queries, caller.account, id);
  const isWithoutPassword = contact.password_hash === null && !(await signInOf(queries, personOf(context, id)));
  if (isWithoutPassword) throw invalid({ subaccount: 'must have a password first' });
  if (!(await signInPut(queries, caller.account, id, contact.email, context.app.clock.now())))
    throw new ApiError('already_exists', { message: 'This email address is already used to sign in.' });
}

async function lockContact({ queries, caller }: Context, id: number): Promise<store.Contact> {
  return requireFound(await store.contactLock(queries, caller.account, id));
}

async function getContact(context: Context, id: number): Promise<store.Contact> {
  return requireFound(await store.contactFind(context.queries, context.caller.account, id));
}

function contactShape({ caller }: Context, contact: store.Contact): Shape {
  return {
    id: String(contact.id),
    ...pickPerson(contact),
    subaccount: flag(contact.subaccount),
    permissions: contact.permissions,
    ...limitFields(caller, contact),
    domainemails: flag(contact.domainemails),
    generalemails: flag(contact.generalemails),
    invoiceemails: flag(contact.invoiceemails),
    productemails: flag(contact.productemails),
    supportemails: flag(contact.supportemails),
    affiliateemails: flag(contact.affiliateemails),
    status: contact.status,
  };
}

/** Returns the limits of a contact or an invitation, for the caller to read. */
export function limitFields(
  { services: callers }: Caller,
  { services }: Pick<store.Contact, 'services'>,
): Pick<Shape, 'limited' | 'services'> {
  return {
    limited: flag(services === null ? 0 : 1),
    services: limitIds(callers, serviceLimits.decode(services)).join(','),
  };
}

function flag(value: number): '0' | '1' {
  return value === 1 ? '1' : '0';
}
