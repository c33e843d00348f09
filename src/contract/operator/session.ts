// Operator API: sign-in with name, password and code, with a passkey or through an identity provider, and the second
// factors themselves.
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { staffFirstProof } from '../proof.ts';
import { Enrolment, OperatorSelf, OperatorSession } from '../shapes/operator.ts';
import { SignOnFlow, signOnResponse, StaffSignOn } from '../shapes/sign-on.ts';

const publicEndpoint = { tag: 'operator', access: 'public', effect: 'none' } as const;
const sessionEndpoint = { tag: 'operator', access: 'any', effect: 'stored', errors: ['state_conflict'] } as const;

export const sessionOperator = {
  sessionCreate: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/operator/session',
    command: 'session create',
    summary: 'Sign in',
    description:
      'Returns a key for 12 hours. `code` is required once an authenticator app is confirmed. If you have neither app nor passkey, the key can only set one up; if you have only a passkey, sign in with it. With `cookie`, which is for pages of this host, the key is kept in a cookie that scripts cannot read.',
    params: {
      name: p.OperatorName,
      password: p.Password,
      code: p.optional(p.OneTimeCode),
      cookie: p.optional(p.Flag),
    },
    result: OperatorSession,
    session: 'opens',
    errors: ['sign_on_required'],
  }),
  signOnGet: endpoint({
    method: 'GET',
    path: '/operator/session/sign-on',
    tag: 'operator',
    access: 'public',
    command: 'session sign-on',
    summary: 'Get whether staff can use single sign-on',
    result: StaffSignOn,
  }),
  signOnBegin: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/operator/session/sign-on',
    command: 'session sign-on-begin',
    summary: 'Start signing in through the identity provider',
    description: 'For pages of this host, which open the URL and keep the flow.',
    result: SignOnFlow,
    errors: ['state_conflict', 'not_found', 'sign_on_failed'],
  }),
  signOnComplete: endpoint({
    ...publicEndpoint,
    method: 'PUT',
    path: '/operator/session/sign-on',
    command: 'session sign-on-complete',
    summary: 'Sign in with the response of the identity provider',
    description:
      'Returns a key for an hour, or keeps it in a cookie, like `POST /operator/session`. The provider’s claims determine the role.',
    params: signOnResponse,
    result: OperatorSession,
    session: 'opens',
    errors: ['sign_on_failed'],
  }),
  sessionGet: endpoint({
    method: 'GET',
    path: '/operator/session',
    tag: 'operator',
    access: 'any',
    command: 'session get',
    summary: 'Get the owner and permissions of the current key',
    result: OperatorSelf,
  }),
  sessionDelete: endpoint({
    ...sessionEndpoint,
    method: 'DELETE',
    path: '/operator/session',
    command: 'session delete',
    summary: 'Sign out',
    description: 'Revokes the key of this request if it came from signing in.',
    session: 'ends',
  }),
  totpEnrol: endpoint({
    ...sessionEndpoint,
    method: 'POST',
    path: '/operator/totp',
    command: 'totp enrol',
    proof: 'caller',
    summary: 'Set up a second factor',
    description:
      'Returns a new secret for an authenticator app (RFC 6238). It takes effect once it is confirmed. Requires the password or a passkey.',
    params: staffFirstProof,
    result: Enrolment,
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
  }),
} as const;
