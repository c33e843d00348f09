// Derives from a declaration which parameters name a customer's resource: by type, or by name if the type is a plain
// number or text. An unclassified parameter is an error, so that none is missed.
import type { TSchema } from 'typebox';
import type { Endpoint } from '#contract/endpoint.ts';
import { BackupId } from '#contract/shapes/machine-backup.ts';
import { PublicKey, SshKeys, UserData } from '#contract/installation-parameters.ts';
import * as p from '#contract/parameters.ts';
import { ZoneFile } from '#contract/record-parameters.ts';
import { ProofChallenge, ProofSolution, TermsVersion } from '#contract/shapes/sign-up.ts';
import { RegistrationCredential, SignInCredential } from '#contract/shapes/passkey.ts';

export type ResourceKind =
  | 'service'
  | 'server'
  | 'machine'
  | 'address'
  | 'contact'
  | 'invitation'
  | 'key'
  | 'tsig'
  | 'invoice'
  | 'webhook'
  | 'delivery'
  | 'zone'
  | 'zoneName'
  | 'record'
  | 'action'
  | 'port'
  | 'plan'
  | 'passkey'
  | 'session'
  | 'sshkey'
  | 'machinegroup'
  | 'snapshot'
  | 'backup'
  | 'machineimage'
  | 'volume'
  | 'supportaccess'
  | 'mail'
  | 'export'
  | 'paymentmethod';

interface Described extends TSchema {
  type?: string;
  enum?: string[];
  items?: Described;
  properties?: Record<string, Described>;
  'x-reason'?: string;
}
export const reasonOf = (schema: TSchema): string => (schema as Described)['x-reason'] ?? '';

const byKind = new Map<string, ResourceKind>([
  [reasonOf(BackupId), 'backup'],
  [reasonOf(p.LegacyServerName), 'server'],
  [reasonOf(p.ActionId), 'action'],
  [reasonOf(p.IpAddress), 'address'],
  [reasonOf(p.ZoneName), 'zoneName'],
  [reasonOf(p.ChallengeName), 'zoneName'],
  [reasonOf(SshKeys.items), 'sshkey'],
]);
const byName: Readonly<Record<string, ResourceKind | undefined>> = {
  service: 'service',
  services: 'service',
  target: 'service',
  vmid: 'machine',
  contact: 'contact',
  invoice: 'invoice',
  method: 'paymentmethod',
  webhook: 'webhook',
  domain: 'zone',
  domain_id: 'zone',
  snapshot: 'snapshot',
  group: 'machinegroup',
  record: 'record',
  records: 'record',
  // Positions within one list, which cannot reach anything outside of it: where a page begins, a version, a system in
  // the catalogue.
  before: undefined,
  after: undefined,
  version: undefined,
  image: undefined,
  // Of a backup.
  volume: undefined,
  // Chooses at sign-in, among the accounts whose password was given.
  account: undefined,
};
/** What `id` identifies, by path. */
const byPath: Readonly<Record<string, ResourceKind>> = {
  '/v2/account/contact': 'contact',
  '/v2/account/contact/settings': 'contact',
  '/v2/account/invitation': 'invitation',
  '/v2/account/key': 'key',
  '/v2/dns/tsig': 'tsig',
  '/v2/account/support': 'supportaccess',
  '/v2/account/mail': 'mail',
  '/v2/account/export/file': 'export',
  '/v2/account/webhook': 'webhook',
  '/v2/account/webhook/delivery': 'delivery',
  '/v2/action/{id}': 'action',
  '/v2/plan': 'plan',
  '/v2/plan/run': 'plan',
  '/v2/session/passkey': 'passkey',
  '/v2/session/open': 'session',
  '/v2/account/sshkey': 'sshkey',
  '/v2/machine/group': 'machinegroup',
  '/v2/machine/snapshot': 'snapshot',
  '/v2/machine/snapshot/restore': 'snapshot',
  '/v2/machine/image': 'machineimage',
  '/v2/machine/volume': 'volume',
  '/v2/machine/volume/attach': 'volume',
  '/v2/machine/volume/detach': 'volume',
  '/v2/payment/method': 'paymentmethod',
  '/client/contact': 'contact',
  '/client/contact/{id}': 'contact',
  '/client/contactUpdate': 'contact',
  '/client/contactDelete': 'contact',
  '/network/port': 'port',
};
/** Text types that carry new values and identify nothing. */
const plainKinds = new Set(
  [
    p.PersonName,
    p.PostalCode,
    p.PlainWords,
    p.StreetAddress,
    p.Email,
    p.Password,
    p.NewPassword,
    p.NewStaffPassword,
    p.ChosenPassword,
    p.LinkToken,
    p.HumanName,
    p.PersonLine,
    p.VatNumber,
    p.PaymentAmount,
    p.InvoiceEndpoint,
    TermsVersion,
    ProofChallenge,
    ProofSolution,
    p.CountryCode,
    p.LanguageCode,
    p.Cidr,
    p.OneTimeCode,
    p.SignInCode,
    p.Label,
    p.TimeZone,
    p.DomainName,
    p.HostName,
    p.Unchanged,
    p.RecordName,
    p.ZoneRecordName,
    p.ReverseName,
    p.RecordContent,
    ZoneFile,
    p.BmcUsername,
    p.CallbackUrl,
    PublicKey,
    UserData,
    p.Values,
    // The signature over the challenge decides, not the id next to it.
    RegistrationCredential,
    SignInCredential,
    p.InterfaceName,
    p.CouponCode,
    p.CalendarDate,
  ].map(reasonOf),
);
/** Free texts: names chosen by the customer, entries of the provider's public catalogue, and event cursors. */
const plainTexts = new Set([
  'name',
  'names',
  'query',
  'company',
  'phone',
  'description',
  'image',
  'template',
  // Of machines: entries of the provider's catalogue.
  'system',
  'location',
  'license',
  'value',
  'operation',
  'after',
  // Of a search.
  'text',
  // Of zones for DNS tools: what to show of a zone, and the sets to write to it.
  'rrset_name',
  'rrset_type',
  'type',
  'changetype',
  'content',
  'kind',
  'domain',
  'keyAuth',
  // Of single sign-on: the identity provider and its response.
  'clientid',
  'clientsecret',
  'scopes',
  'claim',
  'flow',
  'response',
  // Of mandates: the customer's bank account, and the version of the text.
  'iban',
  'consent',
  // Of prices: entries of the provider's catalogue, and why a service ends.
  'plan',
  'reason',
]);

/** Returns the kind of resource that the parameter names, or undefined for a plain value. */
export function resourceOf(endpoint: Endpoint, parameter: string, schema: TSchema): ResourceKind | undefined {
  const described = schema as Described;
  const reason = reasonOf(schema);
  if (described.enum !== undefined || described.type === 'boolean') return undefined;
  if (described.type === 'array') return resourceOf(endpoint, parameter, described.items!);
  if (plainKinds.has(reason)) return undefined;
  if (described.type === 'object') return memberResource(endpoint, described);
  // A page position belongs to the list, whatever type its ids have.
  if (parameter === 'before') return undefined;
  if (byKind.has(reason)) return byKind.get(reason);
  if (reason === reasonOf(p.Id)) {
    if (parameter === 'id' && endpoint.path in byPath) return byPath[endpoint.path];
    if (parameter !== 'id' && parameter in byName) return byName[parameter];
  } else if (described.type === 'integer' || plainTexts.has(parameter)) return undefined;
  throw new Error(`${endpoint.path}: declare in resource-parameters.ts whether ${parameter} names a resource`);
}

/** Returns the one member of an object that names a resource. */
function memberResource(endpoint: Endpoint, { properties = {} }: Described): ResourceKind | undefined {
  return Object.entries(properties)
    .map(([name, member]) => resourceOf(endpoint, name, member))
    .find((resource) => resource !== undefined);
}
/** Returns the example with the given resource in the parameter that names it. */
export function withResource(schema: TSchema, example: unknown, name: string): unknown {
  const { type, items, properties } = schema as Described;
  if (type === 'array') return [withResource(items!, (example as unknown[] | undefined)?.[0], name)];
  if (type !== 'object' || properties === undefined) return type === 'integer' ? Number(name) : name;
  return { ...(example as object), ip: name };
}
