// Legacy: contacts. The parameter for the country is spelled `county` here; the correct spelling is accepted too.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Contact, ContactId } from '../shapes/account.ts';

const aliases = { companyname: 'company', phonenumber: 'phone', postcode: 'zipcode', country: 'county' } as const;

const writeEndpoint = {
  method: 'POST',
  tag: 'client',
  access: 'account:write',
  effect: 'stored',
  proof: 'authority',
  result: ContactId,
} as const;

export const clientLegacy = {
  contactGet: endpoint({
    method: 'GET',
    path: '/client/contact/{id}',
    tag: 'client',
    access: 'account:read',
    summary: 'List or get contacts',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Contact),
  }),
  contactCreate: endpoint({
    ...writeEndpoint,
    path: '/client/contact',
    summary: 'Create a contact',
    cost: 5,
    params: {
      firstname: p.PlainWords,
      lastname: p.PlainWords,
      phone: p.digitsToo(p.Text()),
      email: p.Email,
      password: p.NewPassword,
      address1: p.StreetAddress,
      city: p.PlainWords,
      state: p.PlainWords,
      zipcode: p.digitsToo(p.PlainWords),
      county: p.CountryCode,
      company: p.clearable(p.PlainWords),
      address2: p.clearable(p.StreetAddress),
    },
    aliases,
    errors: ['state_conflict'],
  }),
  contactUpdate: endpoint({
    ...writeEndpoint,
    path: '/client/contactUpdate',
    summary: 'Update a contact',
    description: '`phone` is required.',
    cost: 5,
    params: {
      id: p.Id,
      phone: p.digitsToo(p.Text()),
      firstname: p.optional(p.PlainWords),
      lastname: p.optional(p.PlainWords),
      company: p.clearable(p.PlainWords),
      email: p.optional(p.Email),
      password: p.optional(p.NewPassword),
      address1: p.optional(p.StreetAddress),
      address2: p.clearable(p.StreetAddress),
      city: p.optional(p.PlainWords),
      state: p.optional(p.PlainWords),
      zipcode: p.optional(p.digitsToo(p.PlainWords)),
      county: p.optional(p.CountryCode),
    },
    target: ['id'],
    aliases,
  }),
  contactDelete: endpoint({
    ...writeEndpoint,
    path: '/client/contactDelete',
    summary: 'Delete a contact',
    params: { id: p.Id },
    target: ['id'],
    aliases: { contactid: 'id' },
  }),
} as const;
