// Which parameters name a thing of a customer, worked out from their declarations: by their kind, and where that is a number or a
// text, by their name. What is neither known as a name nor as a plain value is refused, so that nobody declares one unseen.
import type { TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint.ts';
import * as p from '#contract/parameters.ts';
import { MadeCredential, ShownCredential } from '#contract/shapes/passkey.ts';

export type Thing =
  | 'service'
  | 'server'
  | 'machine'
  | 'address'
  | 'contact'
  | 'key'
  | 'invoice'
  | 'webhook'
  | 'delivery'
  | 'zone'
  | 'record'
  | 'action'
  | 'port'
  | 'plan'
  | 'passkey';

interface Described extends TSchema {
  type?: string;
  enum?: string[];
  items?: Described;
  properties?: Record<string, Described>;
  'x-reason'?: string;
}
const reasonOf = (schema: TSchema): string => (schema as Described)['x-reason'] ?? '';

const byKind = new Map<string, Thing>([
  [reasonOf(p.ServerName), 'server'],
  [reasonOf(p.ActionId), 'action'],
  [reasonOf(p.IpAddress), 'address'],
]);
const byName: Readonly<Record<string, Thing | undefined>> = {
  service: 'service',
  vmid: 'machine',
  contact: 'contact',
  invoice: 'invoice',
  webhook: 'webhook',
  domain: 'zone',
  domain_id: 'zone',
  record: 'record',
  records: 'record',
  // Of one list, and nothing outside of it is reached by one: where it begins, which of its versions, which system of the shelf.
  before: undefined,
  after: undefined,
  version: undefined,
  image: undefined,
};
/** What `id` is the id of. */
const byPath: Readonly<Record<string, Thing>> = {
  '/v2/account/contact': 'contact',
  '/v2/account/contact/settings': 'contact',
  '/v2/account/key': 'key',
  '/v2/account/webhook': 'webhook',
  '/v2/account/webhook/delivery': 'delivery',
  '/v2/action/{id}': 'action',
  '/v2/plan': 'plan',
  '/v2/plan/run': 'plan',
  '/v2/session/passkey': 'passkey',
  '/client/contact': 'contact',
  '/client/contact/{id}': 'contact',
  '/client/contactUpdate': 'contact',
  '/client/contactDelete': 'contact',
  '/network/port': 'port',
};
/** Kinds of text that say something new, and find nothing. */
const plainKinds = new Set(
  [
    p.PersonName,
    p.PostalCode,
    p.PlainWords,
    p.StreetAddress,
    p.Email,
    p.Password,
    p.CountryCode,
    p.Cidr,
    p.OneTimeCode,
    p.DomainName,
    p.RecordName,
    p.ZoneRecordName,
    p.ReverseName,
    p.RecordContent,
    p.ZoneFile,
    p.BmcUsername,
    p.DialledUrl,
    p.SshKey,
    p.Values,
    // The signature over a challenge decides, not the id beside it.
    MadeCredential,
    ShownCredential,
  ].map(reasonOf),
);
/** Free texts: what the customer calls it, and what is on the provider's shelf for everybody; where a page of events begins. */
const plainTexts = new Set([
  'name',
  'company',
  'phone',
  'description',
  'image',
  'template',
  'license',
  'value',
  'operation',
  'after',
]);

/** The thing that the parameter names; undefined for a plain value. */
export function thingOf(endpoint: Endpoint, parameter: string, schema: TSchema): Thing | undefined {
  const described = schema as Described;
  const reason = reasonOf(schema);
  if (described.enum !== undefined || described.type === 'boolean') return undefined;
  if (described.type === 'array') return thingOf(endpoint, parameter, described.items!);
  if (plainKinds.has(reason)) return undefined;
  if (described.type === 'object') return membersThing(endpoint, described);
  // Where a page begins is of the list, whatever kind its ids are.
  if (parameter === 'before') return undefined;
  if (byKind.has(reason)) return byKind.get(reason);
  if (reason === reasonOf(p.Id)) {
    if (parameter === 'id' && endpoint.path in byPath) return byPath[endpoint.path];
    if (parameter !== 'id' && parameter in byName) return byName[parameter];
  } else if (described.type === 'integer' || plainTexts.has(parameter)) return undefined;
  throw new Error(`${endpoint.path}: say in named-things.ts whether ${parameter} names a thing`);
}

/** Of an object the one member that names something. */
function membersThing(endpoint: Endpoint, { properties = {} }: Described): Thing | undefined {
  return Object.entries(properties)
    .map(([name, member]) => thingOf(endpoint, name, member))
    .find((thing) => thing !== undefined);
}
/** The example with this thing in the place of the one that its parameter names. */
export function withThing(schema: TSchema, example: unknown, name: string): unknown {
  const { type, items, properties } = schema as Described;
  if (type === 'array') return [withThing(items!, (example as unknown[] | undefined)?.[0], name)];
  if (type !== 'object' || properties === undefined) return type === 'integer' ? Number(name) : name;
  return { ...(example as object), ip: name };
}
