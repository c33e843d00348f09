// The provider's messages to customers. A message is filled in and sent with the event of its type, so that consumers
// of the event only have to deliver it.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';

const person = ['firstname', 'lastname', 'company', 'email', 'account', 'provider'] as const;
const invoice = ['invoicenum', 'total', 'currency', 'duedate'] as const;

export const messagePlaceholders = {
  'invoice.issued': [...person, ...invoice],
  'invoice.paid': [...person, ...invoice],
  'invoice.overdue': [...person, ...invoice],
  'invoice.reminder': [...person, ...invoice, 'reminder'],
  'payment.received': [...person, 'amount', 'currency', 'method', 'reference'],
  'account.suspended': [...person, 'invoicenum'],
  'account.resumed': [...person],
} as const satisfies Record<string, readonly string[]>;
export type MessageKind = keyof typeof messagePlaceholders;

const Message = p.StrictObject({
  subject: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n]+$', 'x-reason': 'must be one line' }),
  text: Type.String({ minLength: 1, maxLength: 20_000, 'x-reason': 'must be text of at most 20000 characters' }),
});

export const SiteMessages = p.StrictObject({
  'invoice.issued': Type.Optional(Message),
  'invoice.paid': Type.Optional(Message),
  'invoice.overdue': Type.Optional(Message),
  'invoice.reminder': Type.Optional(Message),
  'payment.received': Type.Optional(Message),
  'account.suspended': Type.Optional(Message),
  'account.resumed': Type.Optional(Message),
});
export type SiteMessages = Static<typeof SiteMessages>;
