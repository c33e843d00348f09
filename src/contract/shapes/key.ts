// API keys and the audit log, our additions, in the same envelope and with values as strings.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { DnsLimits } from './dns-limits.ts';

const text = Type.String();

export const Key = Type.Object({
  id: text,
  name: text,
  scopes: Type.Array(text),
  allow: Type.Array(text, { description: 'Networks from which the key can be used; empty for all' }),
  dns: DnsLimits,
  services: Type.Array(text, { description: 'The only services that the key can see; empty for all' }),
  contact: Type.String({ description: 'The sub-account contact that owns the key; empty for the account itself' }),
  status: Type.Enum(['Active', 'Expired', 'Revoked']),
  created: Moment,
  expires: Type.String({ description: 'Time in UTC; empty for never' }),
  lastused: Type.String({ description: 'Time in UTC; empty for never' }),
  lastaddress: text,
});

export const NewKey = Type.Object({ id: text, key: Type.String({ description: 'Returned only once' }) });

export const AuditEntry = Type.Object({
  id: text,
  time: Moment,
  address: text,
  key: text,
  contact: text,
  operation: text,
  target: Type.String({ description: 'The target of the operation, for example service=1001' }),
  outcome: Type.String({ description: 'success or an error code' }),
  operator: Type.String({ description: 'The operator who acted; empty for the account itself' }),
  requestid: text,
  previous: Type.String({ description: 'Hash of the previous entry, which reveals missing or altered entries' }),
  hash: text,
});
