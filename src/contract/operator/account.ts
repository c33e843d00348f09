// Operator API: customer accounts.
import { Type, type TSchema } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { accountStatuses } from '../shapes/account.ts';
import { OperatorAccount, OperatorAccountListItem } from '../shapes/operator-account.ts';

const Line = p.PersonLine;
const requiredFields = {
  firstname: Line,
  lastname: Line,
  email: p.Email,
  address1: Line,
  city: Line,
  state: Line,
  postcode: Line,
  country: p.CountryCode,
} as const;

/** Whoever sets these can sign in as the customer. */
const ofSignIn = <T extends TSchema>(schema: T) => p.optional(p.needsPermission('operator:credentials', schema));

const readEndpoint = { method: 'GET', tag: 'account', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'account', access: 'operator:customers', effect: 'stored' } as const;

export const accountOperator = {
  accountList: endpoint({
    ...readEndpoint,
    path: '/operator/account',
    command: 'account list',
    summary: 'List accounts',
    description:
      '`search` matches an id, or part of a name, company or email address. Pass the last id as `after` for the next page. With `ids`, returns only these accounts.',
    params: {
      ids: p.optional(p.List(p.Id, { max: 100 })),
      search: p.optional(p.Text({ max: 100 })),
      status: p.optional(p.Choice(...accountStatuses)),
      ...p.pageAfter(p.Id),
    },
    result: Type.Array(OperatorAccountListItem),
  }),
  accountGet: endpoint({
    ...readEndpoint,
    path: '/operator/account/{id}',
    command: 'account get',
    summary: 'Get an account',
    description: 'Includes its debt and its usage.',
    params: { id: p.Id },
    result: OperatorAccount,
  }),
  accountCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/account',
    proof: 'authority',
    command: 'account create',
    summary: 'Create an account',
    description:
      'Returns its id. `currency` defaults to that of the existing accounts. Without `password`: API access only. The customer has to replace the password when they first sign in, within seven days.',
    params: {
      ...requiredFields,
      company: p.optional(Line),
      phone: p.optional(Line),
      address2: p.optional(Line),
      password: p.optional(p.NewPassword),
      currency: p.optional(p.CurrencyCode),
    },
    errors: ['already_exists'],
  }),
  accountUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/account',
    proof: 'authority',
    command: 'account update',
    summary: 'Update an account',
    description:
      '`forgetfactors` removes the second factors and passkeys of the account’s own sign-in and ends its sessions, for someone who lost their phone. The customer has to replace a `password` at their next sign-in, within seven days. A new `email`, `password` or `forgetfactors` needs a `reason`, which the customer sees.',
    params: {
      id: p.Id,
      ...p.allOptional(requiredFields),
      email: ofSignIn(p.Email),
      company: p.clearable(Line),
      phone: p.clearable(Line),
      address2: p.clearable(Line),
      password: ofSignIn(p.NewPassword),
      forgetfactors: ofSignIn(p.Flag),
      reason: p.optional(p.Text()),
    },
    target: ['id', 'reason'],
    errors: ['already_exists', 'state_conflict'],
  }),
  accountSuspend: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/account/suspend',
    command: 'account suspend',
    summary: 'Suspend an account',
    description: 'Read-only: the customer can view and pay, but not change services, until the account is resumed.',
    params: { id: p.Id, reason: p.Text() },
    target: ['id', 'reason'],
    errors: ['state_conflict'],
  }),
  accountResume: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/account/resume',
    command: 'account resume',
    summary: 'Resume an account',
    description: 'Also resumes the services that were suspended for unpaid invoices.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  accountClose: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/account',
    command: 'account close',
    summary: 'Close an account',
    description:
      'All services must be terminated first. Keys stop working and zones are deleted; invoices are kept. This cannot be undone.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
