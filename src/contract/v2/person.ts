// Version 2, our additions: the sessions, recovery codes and preferences of the person who calls.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { ownProof } from '../proof.ts';
import { dateFormats, maxFilters, OpenSession, Preferences, RecoveryCodes } from '../shapes/person.ts';

const ownEndpoint = { tag: 'session', access: 'any', addition: true } as const;
const preferencesEndpoint = { ...ownEndpoint, path: '/v2/account/preferences', tag: 'account' } as const;

export const personV2 = {
  sessionList: endpoint({
    ...ownEndpoint,
    method: 'GET',
    path: '/v2/session/open',
    summary: 'List your sessions',
    description: "Lists the signed-in person's sessions, newest first. Only in a session.",
    result: Type.Array(OpenSession),
    errors: ['state_conflict'],
  }),
  sessionRevoke: endpoint({
    ...ownEndpoint,
    method: 'DELETE',
    path: '/v2/session/open',
    effect: 'stored',
    summary: 'End one of your sessions, or all others',
    description: 'Without `id`, ends all except the session of this request. Only in a session.',
    params: { id: p.optional(p.Id) },
    target: ['id'],
    result: Type.Literal('Session Ended'),
    errors: ['state_conflict'],
  }),
  recoveryCodesCreate: endpoint({
    ...ownEndpoint,
    method: 'POST',
    path: '/v2/session/recovery-codes',
    effect: 'stored',
    proof: 'caller',
    summary: 'Create recovery codes',
    description:
      'Each code can be used once to sign in instead of a code of your authenticator app. The codes are returned only once, and earlier ones stop working. Requires the password, a code or a passkey.',
    params: ownProof,
    result: RecoveryCodes,
    errors: ['state_conflict'],
  }),
  preferencesGet: endpoint({
    ...preferencesEndpoint,
    method: 'GET',
    limitedSessions: ['support'],
    summary: 'Get your time zone, date format, language and saved filters',
    description: 'Applies to the contact that owns the key, or else to the account.',
    result: Preferences,
  }),
  preferencesSet: endpoint({
    ...preferencesEndpoint,
    method: 'PUT',
    effect: 'stored',
    summary: 'Set your time zone, date format, language and saved filters',
    description:
      'Applies to the contact that owns the key, or else to the account, which needs the scope `account:write`. An empty value restores the default. `filters` replaces all saved filters.',
    params: {
      timezone: p.clearable(p.TimeZone),
      dateformat: p.optional(p.Choice('', ...dateFormats)),
      language: p.clearable(p.LanguageCode),
      filters: p.optional(
        Type.Array(p.StrictObject({ name: p.Text({ max: 64 }), query: p.Text({ max: 500 }) }), {
          maxItems: maxFilters,
          'x-reason': `must be a JSON array of at most ${maxFilters} objects with name and query`,
        }),
      ),
    },
    result: Type.Literal('Preferences Updated'),
  }),
} as const;
