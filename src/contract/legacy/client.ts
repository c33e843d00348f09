// Legacy: contacts. Here the country's parameter is spelled `county`; the right spelling is taken too.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Contact, ContactId } from '../shapes/account.ts';

const aliases = { companyname: 'company', phonenumber: 'phone', postcode: 'zipcode', country: 'county' } as const;

export const clientLegacy = {
  contactGet: endpoint({
    method: 'GET',
    path: '/client/contact/{id}',
    tag: 'client',
    access: 'account:read',
    summary: 'All contacts, or the one with this id',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Contact),
  }),
  contactCreate: endpoint({
    method: 'POST',
    path: '/client/contact',
    tag: 'client',
    access: 'account:write',
    effect: 'stored',
    summary: 'Add a contact',
    cost: 5,
    params: {
      firstname: p.PlainWords,
      lastname: p.PlainWords,
      phone: p.Text(),
      email: p.Email,
      password: p.NewPassword,
      address1: p.StreetAddress,
      city: p.PlainWords,
      state: p.PlainWords,
      zipcode: p.PlainWords,
      county: p.CountryCode,
      company: p.clearable(p.PlainWords),
      address2: p.clearable(p.StreetAddress),
    },
    aliases,
    result: ContactId,
    errors: ['state_conflict'],
  }),
  contactUpdate: endpoint({
    method: 'POST',
    path: '/client/contactUpdate',
    tag: 'client',
    access: 'account:write',
    effect: 'stored',
    summary: 'Change what is given of a contact; `phone` must be given',
    cost: 5,
    params: {
      id: p.Id,
      phone: p.Text(),
      firstname: p.optional(p.PlainWords),
      lastname: p.optional(p.PlainWords),
      company: p.clearable(p.PlainWords),
      email: p.optional(p.Email),
      password: p.optional(p.NewPassword),
      address1: p.optional(p.StreetAddress),
      address2: p.clearable(p.StreetAddress),
      city: p.optional(p.PlainWords),
      state: p.optional(p.PlainWords),
      zipcode: p.optional(p.PlainWords),
      county: p.optional(p.CountryCode),
    },
    aliases,
    result: ContactId,
  }),
  contactDelete: endpoint({
    method: 'POST',
    path: '/client/contactDelete',
    tag: 'client',
    access: 'account:write',
    effect: 'stored',
    summary: 'Remove a contact',
    params: { id: p.Id },
    aliases: { contactid: 'id' },
    result: ContactId,
  }),
} as const;
