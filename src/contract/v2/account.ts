// Version 2: account, billing and contacts.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import {
  Account,
  Contact,
  ContactId,
  InvoiceDetail,
  InvoiceListItem,
  Money,
  invoiceStatuses,
} from '../shapes/account.ts';
import { ownProof } from '../proof.ts';
import { File } from '../shapes/file.ts';
import { scopeNames } from '../scopes.ts';

const contactAliases = { companyname: 'company', phonenumber: 'phone', postcode: 'zipcode' } as const;
const requiredContactFields = {
  firstname: p.PersonName,
  lastname: p.PersonName,
  email: p.Email,
  password: p.NewPassword,
  address1: p.StreetAddress,
  city: p.PersonName,
  state: p.PersonName,
  zipcode: p.digitsToo(p.PostalCode),
  country: p.CountryCode,
} as const;
const optionalContactFields = {
  company: p.clearable(p.PlainWords),
  phone: p.clearable(p.digitsToo(p.Text())),
  address2: p.clearable(p.StreetAddress),
} as const;
/** Accepted if unchanged, so that a contact can be read, modified and sent back. */
const unchangedContactFields = {
  subaccount: p.addition(p.Unchanged),
  permissions: p.addition(p.Unchanged),
  limited: p.addition(p.Unchanged),
  services: p.addition(p.Unchanged),
  domainemails: p.addition(p.Unchanged),
  generalemails: p.addition(p.Unchanged),
  invoiceemails: p.addition(p.Unchanged),
  productemails: p.addition(p.Unchanged),
  supportemails: p.addition(p.Unchanged),
  affiliateemails: p.addition(p.Unchanged),
  status: p.addition(p.Unchanged),
} as const;

const billingEndpoint = { method: 'GET', tag: 'account', access: 'billing:read' } as const;
const contactEndpoint = {
  path: '/v2/account/contact',
  tag: 'account',
  access: 'account:write',
  effect: 'stored',
  proof: 'authority',
} as const;

export const accountV2 = {
  accountGet: endpoint({
    method: 'GET',
    path: '/v2/account',
    tag: 'account',
    access: 'account:read',
    summary: 'Get the account',
    description: 'Includes the balance and the last sign-in.',
    result: Account,
  }),
  balanceGet: endpoint({
    ...billingEndpoint,
    path: '/v2/account/balance',
    summary: 'Get the balance',
    description: 'The amount that the account owes; negative if it has credit.',
    result: Money,
  }),
  invoiceGet: endpoint({
    ...billingEndpoint,
    path: '/v2/account/invoice',
    summary: 'List or get invoices',
    description: 'Pass `status` to filter the list, or `invoice` to get one invoice with its lines; not both.',
    params: { status: p.optional(p.Choice(...invoiceStatuses)), invoice: p.optional(p.Id) },
    result: Type.Union([Type.Array(InvoiceListItem), InvoiceDetail]),
  }),
  invoicePdf: endpoint({
    ...billingEndpoint,
    path: '/v2/account/invoice/pdf',
    addition: true,
    summary: 'Download an invoice as PDF',
    description: 'Contains EN 16931 XML (Factur-X) if the account’s country requires it.',
    params: { invoice: p.Id },
    cost: 25,
    file: 'application/pdf',
    result: File,
  }),
  contactGet: endpoint({
    method: 'GET',
    path: '/v2/account/contact',
    tag: 'account',
    access: 'account:read',
    summary: 'List or get contacts',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Contact),
  }),
  contactCreate: endpoint({
    ...contactEndpoint,
    method: 'POST',
    summary: 'Create a contact',
    cost: 5,
    params: { ...requiredContactFields, ...optionalContactFields },
    aliases: contactAliases,
    result: ContactId,
    errors: ['state_conflict'],
  }),
  contactUpdate: endpoint({
    ...contactEndpoint,
    method: 'PUT',
    summary: 'Update a contact',
    cost: 5,
    description:
      'You can send a contact as it was returned: fields that cannot be changed here are accepted if their value is unchanged.',
    params: {
      id: p.Id,
      ...p.allOptional(requiredContactFields),
      ...optionalContactFields,
      ...unchangedContactFields,
    },
    target: ['id'],
    aliases: contactAliases,
  }),
  contactDelete: endpoint({
    ...contactEndpoint,
    method: 'DELETE',
    summary: 'Delete a contact',
    params: { id: p.Id },
    target: ['id'],
    aliases: { contactid: 'id' },
  }),
  contactSettings: endpoint({
    method: 'PUT',
    path: '/v2/account/contact/settings',
    tag: 'account',
    access: 'account:keys',
    effect: 'stored',
    addition: true,
    proof: 'forgetfactors',
    summary: "Set a contact's access and notifications",
    description:
      "Makes the contact a sub-account that can sign in, and sets its permissions and which emails it receives. With `services`, the contact can see only those services; an empty list removes this limit. `forgetfactors` removes the contact's second factors and passkeys and ends their sessions, for someone who lost their phone; it requires your own password, a code or a passkey, in a session.",
    params: {
      id: p.Id,
      subaccount: p.optional(p.Flag),
      permissions: p.optional(p.List(p.Choice(...scopeNames), { max: scopeNames.length })),
      services: p.optional(p.ServiceLimits),
      forgetfactors: p.optional(p.Flag),
      domainemails: p.optional(p.Flag),
      generalemails: p.optional(p.Flag),
      invoiceemails: p.optional(p.Flag),
      productemails: p.optional(p.Flag),
      supportemails: p.optional(p.Flag),
      affiliateemails: p.optional(p.Flag),
      ...ownProof,
    },
    target: ['id'],
    errors: ['already_exists', 'state_conflict'],
  }),
} as const;
