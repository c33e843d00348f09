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
  mailFlags,
} from '../shapes/account.ts';
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
  zipcode: p.PostalCode,
  country: p.CountryCode,
} as const;
const optionalContactFields = {
  company: p.clearable(p.PlainWords),
  phone: p.clearable(p.Text()),
  address2: p.clearable(p.StreetAddress),
} as const;

export const accountV2 = {
  accountGet: endpoint({
    method: 'GET',
    path: '/v2/account',
    tag: 'account',
    access: 'account:read',
    summary: 'The account, its balance and when it was last signed in to',
    params: {},
    result: Account,
  }),
  balanceGet: endpoint({
    method: 'GET',
    path: '/v2/account/balance',
    tag: 'account',
    access: 'billing:read',
    summary: 'What the account owes; negative when it is in credit',
    params: {},
    result: Money,
  }),
  invoiceGet: endpoint({
    method: 'GET',
    path: '/v2/account/invoice',
    tag: 'account',
    access: 'billing:read',
    summary: 'The invoices, of one status or all; or one invoice with its lines',
    description: 'Give `status` or `invoice`, not both.',
    params: { status: p.optional(p.Choice(...invoiceStatuses)), invoice: p.optional(p.Id) },
    result: Type.Union([Type.Array(InvoiceListItem), InvoiceDetail]),
  }),
  invoicePdf: endpoint({
    method: 'GET',
    path: '/v2/account/invoice/pdf',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'An invoice as PDF, with EN 16931 XML inside (Factur-X) where the country of the account asks for it',
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
    summary: 'All contacts, or the one with this id',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Contact),
  }),
  contactCreate: endpoint({
    method: 'POST',
    path: '/v2/account/contact',
    tag: 'account',
    access: 'account:write',
    effect: 'stored',
    summary: 'Add a contact',
    cost: 5,
    params: { ...requiredContactFields, ...optionalContactFields },
    aliases: contactAliases,
    result: ContactId,
    errors: ['state_conflict'],
  }),
  contactUpdate: endpoint({
    method: 'PUT',
    path: '/v2/account/contact',
    tag: 'account',
    access: 'account:write',
    effect: 'stored',
    summary: 'Change what is given of a contact',
    cost: 5,
    params: {
      id: p.Id,
      firstname: p.optional(p.PersonName),
      lastname: p.optional(p.PersonName),
      email: p.optional(p.Email),
      password: p.optional(p.NewPassword),
      address1: p.optional(p.StreetAddress),
      city: p.optional(p.PersonName),
      state: p.optional(p.PersonName),
      zipcode: p.optional(p.PostalCode),
      country: p.optional(p.CountryCode),
      ...optionalContactFields,
    },
    aliases: contactAliases,
    result: Type.String(),
  }),
  contactDelete: endpoint({
    method: 'DELETE',
    path: '/v2/account/contact',
    tag: 'account',
    access: 'account:write',
    effect: 'stored',
    summary: 'Remove a contact',
    params: { id: p.Id },
    aliases: { contactid: 'id' },
    result: Type.String(),
  }),
  contactSettings: endpoint({
    method: 'PUT',
    path: '/v2/account/contact/settings',
    tag: 'account',
    access: 'account:keys',
    effect: 'stored',
    addition: true,
    summary: 'Make a contact a sub-account that can sign in, say what it may do and which mails it gets',
    description:
      '`forgetfactors` is for who lost a phone: it removes second factor and passkeys and ends the sessions.',
    params: {
      id: p.Id,
      subaccount: p.optional(p.Flag),
      permissions: p.optional(p.List(p.Choice(...scopeNames), { max: scopeNames.length })),
      forgetfactors: p.optional(p.Flag),
      ...(Object.fromEntries(mailFlags.map((name) => [name, p.optional(p.Flag)])) as Record<
        (typeof mailFlags)[number],
        ReturnType<typeof p.optional<typeof p.Flag>>
      >),
    },
    result: Type.String(),
    errors: ['already_exists', 'state_conflict'],
  }),
} as const;
