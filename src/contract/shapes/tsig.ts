// TSIG keys, with which DNS tools sign their messages.
import { Type } from 'typebox';
import { Moment } from './account.ts';
import { DnsLimits } from './dns-limits.ts';
import { described, text } from './text.ts';

export const tsigAlgorithms = ['hmac-sha256', 'hmac-sha512'] as const;

const TsigName = described('The name of the key in DNS messages');
const Algorithm = Type.Enum([...tsigAlgorithms]);

export const TsigKey = Type.Object({
  id: text,
  name: text,
  tsigname: TsigName,
  algorithm: Algorithm,
  allow: Type.Array(text, { description: 'Networks from which the key can be used; empty for all' }),
  dns: DnsLimits,
  contact: described('The sub-account contact that owns the key; empty for the account itself'),
  status: Type.Enum(['Active', 'Expired']),
  created: Moment,
  expires: described('Time in UTC; empty for never'),
  lastused: described('Time in UTC of the last update or transfer; empty for never'),
  lastaddress: text,
});

export const NewTsigKey = Type.Object({
  id: text,
  tsigname: TsigName,
  algorithm: Algorithm,
  secret: described('In base64; returned only once'),
});
