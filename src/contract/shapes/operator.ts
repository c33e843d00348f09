// The provider's staff, and the sessions in which they work.
import { Type } from 'typebox';
import { roleNames } from '../roles.ts';
import { Moment } from './account.ts';

const text = Type.String();
const Role = Type.Enum(roleNames);

export const OperatorSession = Type.Object({
  key: Type.String({ description: 'A key for this sign-in' }),
  expires: Moment,
  name: text,
  role: Role,
  secondfactor: Type.Enum(['Confirmed', 'Missing'], {
    description: 'Missing: nothing is allowed but to enrol one, and to sign out',
  }),
});

export const OperatorSelf = Type.Object({
  name: text,
  role: Role,
  powers: Type.Array(text),
  kind: Type.Enum(['key', 'session']),
});

export const Operator = Type.Object({
  id: text,
  name: text,
  role: Role,
  status: Type.Enum(['Active', 'Ended']),
  secondfactor: Type.Enum(['Confirmed', 'Missing']),
  created: Moment,
});

export const NewOperator = Type.Object({
  id: text,
  password: Type.String({ description: 'The first password, shown this once; empty where it did not change' }),
});

export const Enrolment = Type.Object({
  secret: Type.String({ description: 'To be typed into an app, in base32' }),
  url: Type.String({ description: 'The same for an app to read: otpauth://totp/…' }),
});
