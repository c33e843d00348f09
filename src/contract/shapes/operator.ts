// Operators and their sessions.
import { Type } from 'typebox';
import { roleNames } from '../roles.ts';
import { Moment } from './account.ts';
import { sessionSecrets } from './session.ts';
import { described, text } from './text.ts';

const Role = Type.Enum(roleNames);

export const OperatorSession = Type.Object({
  ...sessionSecrets,
  expires: Moment,
  name: text,
  role: Role,
  secondfactor: Type.Enum(['Confirmed', 'Missing'], {
    description: 'Missing: the session can only set one up or sign out',
  }),
});

export const OperatorSelf = Type.Object({
  name: text,
  role: Role,
  powers: Type.Array(text),
  kind: Type.Enum(['key', 'session']),
  email: described('For security notices and a forgotten password; empty if unknown, or for a key'),
  totp: Type.Enum(['None', 'Waiting', 'Confirmed'], {
    description: 'Authenticator app as a second factor; Waiting: not confirmed with a first code yet',
  }),
  passkeys: described('Number of passkeys'),
});

export const Operator = Type.Object({
  id: text,
  name: text,
  role: Role,
  status: Type.Enum(['Active', 'Ended']),
  email: described('For security notices and a forgotten password; empty if unknown'),
  secondfactor: Type.Enum(['Confirmed', 'Missing'], { description: 'An authenticator app or a passkey' }),
  created: Moment,
});

export const NewOperator = Type.Object({
  id: text,
  password: described('The initial password, returned only once; empty if it did not change'),
});

export const Enrolment = Type.Object({
  secret: described('Base32, for typing into an authenticator app'),
  url: described('The same as a link for the app: otpauth://totp/…'),
});
