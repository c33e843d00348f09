// API keys and the audit log: our additions, in the same envelope and with the same string-typed values.
import { Type } from 'typebox';
import { Moment } from './account.ts';

const text = Type.String();

export const Key = Type.Object({
  id: text,
  name: text,
  scopes: Type.Array(text),
  allow: Type.Array(text, { description: 'Networks from which the key may be used; empty: from anywhere' }),
  contact: Type.String({ description: 'The sub-account contact whose key it is, empty for the account itself' }),
  status: Type.Enum(['Active', 'Expired', 'Revoked']),
  created: Moment,
  expires: Type.String({ description: 'Moment in UTC, empty: never' }),
  lastused: Type.String({ description: 'Moment in UTC, empty: never' }),
  lastaddress: text,
});

export const NewKey = Type.Object({ id: text, key: Type.String({ description: 'Shown this once' }) });

export const AuditEntry = Type.Object({
  id: text,
  time: Moment,
  address: text,
  key: text,
  contact: text,
  operation: text,
  target: Type.String({ description: 'What it was done to, for example service=1001' }),
  outcome: Type.String({ description: 'success, or the error code' }),
  operator: Type.String({ description: 'Who of the provider’s staff did it, empty for the account itself' }),
  requestid: text,
  previous: Type.String({ description: 'Hash of the entry before, so that a removed or altered entry shows' }),
  hash: text,
});
