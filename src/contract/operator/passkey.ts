// Operator API: staff's own passkeys, and signing in with one.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { staffProof } from '../proof.ts';
import { OperatorSession } from '../shapes/operator.ts';
import {
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  RegistrationCredential,
  SignInCredential,
} from '../shapes/passkey.ts';

const publicEndpoint = { tag: 'operator', access: 'public', effect: 'none' } as const;
const sessionEndpoint = { tag: 'operator', access: 'any', effect: 'stored' } as const;

export const passkeyOperator = {
  passkeyGet: endpoint({
    method: 'GET',
    path: '/operator/session/passkey',
    tag: 'operator',
    access: 'any',
    command: 'passkey list',
    summary: 'List your passkeys',
    result: Type.Array(Passkey),
    errors: ['state_conflict'],
  }),
  passkeyBegin: endpoint({
    ...sessionEndpoint,
    method: 'POST',
    path: '/operator/session/passkey',
    command: 'passkey begin',
    proof: 'caller',
    summary: 'Get options to create a passkey',
    description:
      'Valid for five minutes, for a page on the same host, addressed by name. Requires the password, a code or another passkey.',
    params: staffProof,
    result: PasskeyCreationOptions,
    errors: ['state_conflict'],
  }),
  passkeyCreate: endpoint({
    ...sessionEndpoint,
    method: 'PUT',
    path: '/operator/session/passkey',
    command: 'passkey create',
    proof: 'earlier',
    summary: 'Create a passkey',
    description:
      'Stores the passkey that the browser created, under a name that you choose. It counts as a second factor.',
    params: { name: p.Text({ max: 64 }), credential: RegistrationCredential },
    target: ['name'],
    result: Passkey,
    errors: ['state_conflict', 'already_exists'],
  }),
  passkeyDelete: endpoint({
    ...sessionEndpoint,
    method: 'DELETE',
    path: '/operator/session/passkey',
    command: 'passkey delete',
    proof: 'caller',
    summary: 'Delete a passkey',
    description:
      'It can no longer be used to sign in. Requires the password, a code or a passkey. The only second factor cannot be deleted.',
    params: { id: p.Id, ...staffProof },
    target: ['id'],
    errors: ['state_conflict', 'not_found'],
  }),
  challengeCreate: endpoint({
    ...publicEndpoint,
    method: 'POST',
    path: '/operator/session/challenge',
    command: 'session challenge',
    summary: 'Get options to sign in with a passkey',
    description: 'Valid for five minutes, for a page on the same host, addressed by name.',
    result: PasskeyRequestOptions,
    errors: ['state_conflict'],
  }),
  challengeAnswer: endpoint({
    ...publicEndpoint,
    method: 'PUT',
    path: '/operator/session/challenge',
    command: 'session answer',
    summary: 'Sign in with a passkey',
    description:
      'Needs no name, password or code. Returns a key for 12 hours, or keeps it in a cookie, like `POST /operator/session`.',
    params: { credential: SignInCredential, cookie: p.optional(p.Flag) },
    result: OperatorSession,
    session: 'opens',
    errors: ['state_conflict', 'sign_on_required'],
  }),
} as const;
