// All types of events, with the shape of their data. The table is closed: `appendEvent` accepts only these. A shape may
// gain members; a breaking change gets the next version number, which every event carries. Ids are strings, and data
// never contains secrets, because events are stored and sent out.
import { Type, type Static, type TSchema } from 'typebox';
import { attackEvents } from './attacks.ts';
import { planEvents } from './plans.ts';
import { reloadEventKinds } from './reloads.ts';

interface EventKind {
  readonly version: number;
  readonly summary: string;
  readonly data: TSchema;
}

const text = Type.String();
const Changed = Type.Array(text, { description: 'Names of the changed fields' });

const ZoneData = Type.Object({ domain_id: text, name: text });
const RecordData = Type.Object({
  id: text,
  domain_id: text,
  name: text,
  type: text,
  content: text,
  ttl: text,
});
/** The provider's own message, if its site file has one for this type. */
const message = {
  message: Type.Optional(
    Type.Object({ subject: text, text }, { description: 'The provider’s message to the customer' }),
  ),
};
const InvoiceData = Type.Object({
  invoiceid: text,
  invoicenum: text,
  total: Type.String({ description: 'Decimal with two places' }),
  duedate: Type.String({ description: 'YYYY-MM-DD' }),
  ...message,
});

export const eventKinds = {
  'contact.created': { version: 1, summary: 'A contact was created', data: Type.Object({ contactid: text }) },
  'contact.updated': {
    version: 1,
    summary: 'A contact or its settings were updated',
    data: Type.Object({ contactid: text, changed: Changed }),
  },
  'contact.deleted': { version: 1, summary: 'A contact was deleted', data: Type.Object({ contactid: text }) },
  'key.created': {
    version: 1,
    summary: 'An API key was created',
    data: Type.Object({ keyid: text, name: text, scopes: Type.Array(text) }),
  },
  'key.updated': {
    version: 1,
    summary: 'An API key was updated',
    data: Type.Object({ keyid: text, name: text, changed: Changed }),
  },
  'key.rotated': {
    version: 1,
    summary: 'An API key was rotated; the old secret keeps working for a while',
    data: Type.Object({
      keyid: text,
      name: text,
      previousuntil: Type.String({ description: 'When the old secret stops working, ISO 8601' }),
    }),
  },
  'key.revoked': { version: 1, summary: 'An API key was revoked', data: Type.Object({ keyid: text, name: text }) },
  'device.power.changed': {
    version: 1,
    summary: 'A device was powered on or off, by command or otherwise',
    data: Type.Object({
      state: Type.Enum(['on', 'off']),
      source: Type.Enum(['command', 'query', 'sync'], { description: 'How it was observed' }),
    }),
  },
  'device.hostname.changed': {
    version: 1,
    summary: 'The host name of a device was changed',
    data: Type.Object({ hostname: text }),
  },
  ...reloadEventKinds,
  'device.image.mounted': {
    version: 1,
    summary: 'An ISO image was mounted',
    data: Type.Object({ image: text }),
  },
  'device.image.unmounted': {
    version: 1,
    summary: 'An ISO image was unmounted',
    data: Type.Object({ image: text }),
  },
  'dns.zone.created': { version: 1, summary: 'A zone was created', data: ZoneData },
  'dns.zone.changed': {
    version: 1,
    summary: 'A zone was replaced by a zone file or an earlier version, or several of its records were deleted',
    data: Type.Object({ domain_id: text, name: text, serial: text, added: Type.Integer(), removed: Type.Integer() }),
  },
  'dns.zone.deleted': { version: 1, summary: 'A zone was deleted', data: ZoneData },
  'dns.record.created': { version: 1, summary: 'A record was created', data: RecordData },
  'dns.record.changed': { version: 1, summary: 'A record was updated', data: RecordData },
  'dns.record.deleted': { version: 1, summary: 'A record was deleted', data: RecordData },
  'dns.reverse.changed': {
    version: 1,
    summary: 'Reverse DNS was set, or deleted if the record is empty',
    data: Type.Object({ records: Type.Array(Type.Object({ ip: text, record: text })) }),
  },
  'network.port.changed': {
    version: 1,
    summary: 'A switch port was enabled or disabled',
    data: Type.Object({ port: text, status: Type.Enum(['up', 'down']) }),
  },
  'network.netblock.assigned': {
    version: 1,
    summary: 'A netblock was assigned to a service',
    data: Type.Object({ netblock: text }),
  },
  'network.netblock.refused': {
    version: 1,
    summary: 'A request for addresses was rejected',
    data: Type.Object({ requestid: text, size: text, reason: text }),
  },
  ...attackEvents,
  ...planEvents,
  'invoice.issued': { version: 1, summary: 'An invoice or a credit note was issued', data: InvoiceData },
  'invoice.paid': { version: 1, summary: 'An invoice was paid in full', data: InvoiceData },
  'invoice.overdue': { version: 1, summary: 'An invoice is past its due date', data: InvoiceData },
  'invoice.reminder': {
    version: 1,
    summary: 'A reminder of an overdue invoice',
    data: Type.Interface([InvoiceData], { reminder: Type.Integer({ description: 'Number of the reminder, from 1' }) }),
  },
  'payment.received': {
    version: 1,
    summary: 'A payment was received',
    data: Type.Object({ amount: text, method: text, reference: text, ...message }),
  },
  'account.suspended': {
    version: 1,
    summary:
      'The account was suspended because an invoice is overdue, or by the provider, in which case the number is empty',
    data: Type.Object({ invoicenum: text, ...message }),
  },
  'account.resumed': { version: 1, summary: 'The suspension was lifted', data: Type.Object({ ...message }) },
  'device.maintenance.began': {
    version: 1,
    summary: 'Maintenance of a device started: commands are rejected until it ends',
    data: Type.Object({ reason: text }),
  },
  'device.maintenance.ended': { version: 1, summary: 'Maintenance of a device ended', data: Type.Object({}) },
  'service.provisioned': { version: 1, summary: 'A service was created', data: Type.Object({}) },
  'service.terminated': {
    version: 1,
    summary: 'A service was terminated; its addresses were returned',
    data: Type.Object({}),
  },
  'service.suspended': {
    version: 1,
    summary: 'A service was suspended, alone or with its account',
    data: Type.Object({}),
  },
  'service.resumed': { version: 1, summary: 'A service was resumed', data: Type.Object({}) },
  'software.ordered': {
    version: 1,
    summary: 'A software licence was ordered',
    data: Type.Object({ orderid: text, license: text }),
  },
  'software.fulfilled': {
    version: 1,
    summary: 'The key of a software licence is available',
    data: Type.Object({ orderid: text, license: text }),
  },
  'software.cancelled': {
    version: 1,
    summary: 'A software licence was cancelled; it works until that day',
    data: Type.Object({ orderid: text, license: text, until: text }),
  },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof eventKinds;
export type EventData<T extends EventType> = Static<(typeof eventKinds)[T]['data']>;
export const eventTypes = Object.keys(eventKinds) as EventType[];
