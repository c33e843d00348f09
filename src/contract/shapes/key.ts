// API keys and the audit log, our additions, in the same envelope and with values as strings.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { DnsLimits } from './dns-limits.ts';
import { described, text } from './text.ts';

export const Key = Type.Object({
  id: text,
  name: text,
  scopes: Type.Array(text),
  allow: Type.Array(text, { description: 'Networks from which the key can be used; empty for all' }),
  dns: DnsLimits,
  services: Type.Array(text, { description: 'The only services that the key can see; empty for all' }),
  contact: described('The sub-account contact that owns the key; empty for the account itself'),
  status: Type.Enum(['Active', 'Expired', 'Revoked']),
  created: Moment,
  expires: described('Time in UTC; empty for never'),
  lastused: described('Time in UTC; empty for never'),
  lastaddress: text,
});

export const NewKey = Type.Object({ id: text, key: described('Returned only once') });

export const AuditEntry = Type.Object({
  id: text,
  time: Moment,
  address: text,
  key: text,
  contact: text,
  operation: text,
  target: described('The target of the operation, for example service=1001'),
  outcome: described('success or an error code'),
  operator: described('The operator who acted; empty for the account itself'),
  requestid: text,
  previous: described('Hash of the previous entry, which reveals missing or altered entries'),
  hash: text,
});
