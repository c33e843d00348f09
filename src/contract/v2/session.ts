// Version 2, our addition: signing in.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Session, SessionSelf } from '../shapes/session.ts';

export const sessionV2 = {
  sessionCreate: endpoint({
    method: 'POST',
    path: '/v2/session',
    tag: 'session',
    access: 'public',
    effect: 'none',
    addition: true,
    summary: 'Sign in as the account or as a sub-account contact; answers a key for 12 hours',
    params: { email: p.Email, password: p.Password },
    result: Session,
  }),
  sessionGet: endpoint({
    method: 'GET',
    path: '/v2/session',
    tag: 'session',
    access: 'any',
    addition: true,
    summary: 'Whose key this is and what it may do',
    params: {},
    result: SessionSelf,
  }),
  sessionDelete: endpoint({
    method: 'DELETE',
    path: '/v2/session',
    tag: 'session',
    access: 'any',
    effect: 'stored',
    addition: true,
    summary: 'Sign out: revoke the key that this request carries, if it came from signing in',
    params: {},
    result: Type.String(),
  }),
} as const;
