// Operator API: sign-in with name, password and code, and the second factor itself.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Enrolment, OperatorSelf, OperatorSession } from '../shapes/operator.ts';

const sessionEndpoint = { tag: 'operator', access: 'any', effect: 'stored', addition: true } as const;

export const sessionOperator = {
  sessionCreate: endpoint({
    method: 'POST',
    path: '/operator/session',
    tag: 'operator',
    access: 'public',
    effect: 'none',
    command: 'session create',
    addition: true,
    summary: 'Sign in',
    description:
      'Returns a key for 12 hours. `code` is required once a second factor is confirmed; until then, the key can only set one up. With `cookie`, which is for pages of this host, the key is kept in a cookie that no script can read.',
    params: {
      name: p.OperatorName,
      password: p.Password,
      code: p.optional(p.OneTimeCode),
      cookie: p.optional(p.Flag),
    },
    result: OperatorSession,
    session: 'opens',
  }),
  sessionGet: endpoint({
    method: 'GET',
    path: '/operator/session',
    tag: 'operator',
    access: 'any',
    command: 'session get',
    addition: true,
    summary: 'Get the owner and permissions of the current key',
    params: {},
    result: OperatorSelf,
  }),
  sessionDelete: endpoint({
    ...sessionEndpoint,
    method: 'DELETE',
    path: '/operator/session',
    command: 'session delete',
    summary: 'Sign out',
    description: 'Revokes the key of this request, if it came from signing in.',
    session: 'ends',
    params: {},
    result: Type.String(),
    errors: ['state_conflict'],
  }),
  totpEnrol: endpoint({
    ...sessionEndpoint,
    method: 'POST',
    path: '/operator/totp',
    command: 'totp enrol',
    proof: 'caller',
    summary: 'Set up a second factor',
    description: 'Returns a new secret for an authenticator app (RFC 6238). It takes effect once it is confirmed.',
    params: { password: p.CurrentPassword },
    result: Enrolment,
    errors: ['state_conflict'],
  }),
  totpConfirm: endpoint({
    ...sessionEndpoint,
    method: 'PUT',
    path: '/operator/totp',
    command: 'totp confirm',
    proof: 'earlier',
    summary: 'Confirm the second factor',
    description: 'From then on, signing in requires a code.',
    params: { code: p.OneTimeCode },
    result: Type.String(),
    errors: ['state_conflict'],
  }),
  passwordSet: endpoint({
    ...sessionEndpoint,
    method: 'PUT',
    path: '/operator/password',
    command: 'password set',
    proof: 'caller',
    summary: 'Change your password',
    description: 'Ends your other sessions.',
    params: { password: p.CurrentPassword, newpassword: p.NewStaffPassword },
    result: Type.String(),
    errors: ['state_conflict'],
  }),
} as const;
