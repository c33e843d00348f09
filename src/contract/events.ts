// Every kind of event that an account can meet, with the shape of its data. A closed table: `eventAppend` takes only these.
// A shape may gain members; a change that breaks who reads it gets the next version number, which every event carries.
// Ids are text and secrets are never in it: events are kept, and sent to addresses outside.
import { Type, type Static, type TSchema } from 'typebox';

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
  'dns.zone.created': { version: 1, summary: 'A zone was added', data: ZoneData },
  'dns.zone.changed': {
    version: 1,
    summary: 'A zone was replaced by a zone file or an earlier version',
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
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof eventKinds;
export type EventData<T extends EventType> = Static<(typeof eventKinds)[T]['data']>;
export const eventTypes = Object.keys(eventKinds) as EventType[];
