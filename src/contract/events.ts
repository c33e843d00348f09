// Every kind of event that an account can meet, with the shape of its data. A closed table: `eventAppend` takes only these.
// A shape may gain members; a change that breaks who reads it gets the next version number, which every event carries.
// Ids are text and secrets are never in it: events are kept, and sent to addresses outside.
import { Type, type Static, type TSchema } from 'typebox';
import { attackEvents } from './attack-events.ts';
import { planEvents } from './plan-events.ts';
import { reloadEventKinds } from './reload-events.ts';

interface EventKind {
  readonly version: number;
  readonly summary: string;
  readonly data: TSchema;
}

const text = Type.String();
const Changed = Type.Array(text, { description: 'Names of what was changed' });

const ZoneData = Type.Object({ domain_id: text, name: text });
const RecordData = Type.Object({
  id: text,
  domain_id: text,
  name: text,
  type: text,
  content: text,
  ttl: text,
});
/** The provider's words, where its site file has some for this kind. */
const message = {
  message: Type.Optional(Type.Object({ subject: text, text }, { description: 'The provider’s words to the customer' })),
};
const InvoiceData = Type.Object({
  invoiceid: text,
  invoicenum: text,
  total: Type.String({ description: 'Decimal with two places' }),
  duedate: Type.String({ description: 'YYYY-MM-DD' }),
  ...message,
});

export const eventKinds = {
  'contact.created': { version: 1, summary: 'A contact was added', data: Type.Object({ contactid: text }) },
  'contact.updated': {
    version: 1,
    summary: 'A contact or its settings were changed',
    data: Type.Object({ contactid: text, changed: Changed }),
  },
  'contact.deleted': { version: 1, summary: 'A contact was removed', data: Type.Object({ contactid: text }) },
  'key.created': {
    version: 1,
    summary: 'An API key was made',
    data: Type.Object({ keyid: text, name: text, scopes: Type.Array(text) }),
  },
  'key.updated': {
    version: 1,
    summary: 'An API key was changed',
    data: Type.Object({ keyid: text, name: text, changed: Changed }),
  },
  'key.rotated': {
    version: 1,
    summary: 'An API key got a new secret; the old one works on for a while',
    data: Type.Object({
      keyid: text,
      name: text,
      previousuntil: Type.String({ description: 'Until when the old one works, ISO 8601' }),
    }),
  },
  'key.revoked': { version: 1, summary: 'An API key was revoked', data: Type.Object({ keyid: text, name: text }) },
  'device.power.changed': {
    version: 1,
    summary: 'A device was seen to be switched on or off, by command or otherwise',
    data: Type.Object({
      state: Type.Enum(['on', 'off']),
      source: Type.Enum(['command', 'query', 'sync'], { description: 'How it was seen' }),
    }),
  },
  'device.hostname.changed': {
    version: 1,
    summary: 'A device got another host name',
    data: Type.Object({ hostname: text }),
  },
  ...reloadEventKinds,
  'device.image.mounted': {
    version: 1,
    summary: 'An ISO image was put into the drive of a device',
    data: Type.Object({ image: text }),
  },
  'device.image.unmounted': {
    version: 1,
    summary: 'An ISO image was taken out of the drive of a device',
    data: Type.Object({ image: text }),
  },
  'dns.zone.created': { version: 1, summary: 'A zone was added', data: ZoneData },
  'dns.zone.changed': {
    version: 1,
    summary: 'A zone was replaced by a zone file or an earlier version, or several of its records were removed',
    data: Type.Object({ domain_id: text, name: text, serial: text, added: Type.Integer(), removed: Type.Integer() }),
  },
  'dns.zone.deleted': { version: 1, summary: 'A zone was removed', data: ZoneData },
  'dns.record.created': { version: 1, summary: 'A record was added', data: RecordData },
  'dns.record.changed': { version: 1, summary: 'A record was changed', data: RecordData },
  'dns.record.deleted': { version: 1, summary: 'A record was removed', data: RecordData },
  'dns.reverse.changed': {
    version: 1,
    summary: 'Reverse names were set, or removed where the record is empty',
    data: Type.Object({ records: Type.Array(Type.Object({ ip: text, record: text })) }),
  },
  'network.port.changed': {
    version: 1,
    summary: 'A switch port was enabled or disabled',
    data: Type.Object({ port: text, status: Type.Enum(['up', 'down']) }),
  },
  'network.netblock.assigned': {
    version: 1,
    summary: 'A block of addresses was assigned to a service',
    data: Type.Object({ netblock: text }),
  },
  'network.netblock.refused': {
    version: 1,
    summary: 'A request for addresses was refused',
    data: Type.Object({ requestid: text, size: text, reason: text }),
  },
  ...attackEvents,
  ...planEvents,
  'invoice.issued': { version: 1, summary: 'An invoice or a credit note was issued', data: InvoiceData },
  'invoice.paid': { version: 1, summary: 'An invoice was paid in full', data: InvoiceData },
  'invoice.overdue': { version: 1, summary: 'An invoice was not paid by its due day', data: InvoiceData },
  'invoice.reminder': {
    version: 1,
    summary: 'The customer is reminded of an overdue invoice',
    data: Type.Interface([InvoiceData], { reminder: Type.Integer({ description: 'Which one, from 1' }) }),
  },
  'payment.received': {
    version: 1,
    summary: 'A payment was received',
    data: Type.Object({ amount: text, method: text, reference: text, ...message }),
  },
  'account.suspended': {
    version: 1,
    summary: 'The account was suspended because an invoice is overdue, or by the provider, with an empty number',
    data: Type.Object({ invoicenum: text, ...message }),
  },
  'account.resumed': { version: 1, summary: 'The suspension was lifted', data: Type.Object({ ...message }) },
  'device.maintenance.began': {
    version: 1,
    summary: 'The provider works on the device: commands to it are refused meanwhile',
    data: Type.Object({ reason: text }),
  },
  'device.maintenance.ended': { version: 1, summary: 'The provider is done with the device', data: Type.Object({}) },
  'service.provisioned': { version: 1, summary: 'The account has a new service', data: Type.Object({}) },
  'service.terminated': {
    version: 1,
    summary: 'A service is over: its addresses are given back',
    data: Type.Object({}),
  },
  'service.suspended': {
    version: 1,
    summary: 'A service was suspended, alone or with its account',
    data: Type.Object({}),
  },
  'service.resumed': { version: 1, summary: 'A service is active again', data: Type.Object({}) },
  'software.ordered': {
    version: 1,
    summary: 'A software licence was ordered',
    data: Type.Object({ orderid: text, license: text }),
  },
  'software.fulfilled': {
    version: 1,
    summary: 'The key of a software licence is there',
    data: Type.Object({ orderid: text, license: text }),
  },
  'software.cancelled': {
    version: 1,
    summary: 'A software licence was cancelled; it works until the day',
    data: Type.Object({ orderid: text, license: text, until: text }),
  },
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof eventKinds;
export type EventData<T extends EventType> = Static<(typeof eventKinds)[T]['data']>;
export const eventTypes = Object.keys(eventKinds) as EventType[];
