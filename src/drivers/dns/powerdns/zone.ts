// Zones in PowerDNS's words and in ours, and the difference between what it has and what it shall have.
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { PresentationError } from '#wire/dns/errors.ts';
import { dotted, parseName } from '#wire/dns/name.ts';
import { contentToWire, wireToContent } from '#wire/dns/rdata.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { typeName, typeNumber } from '#wire/dns/types.ts';
import { NameServerError } from '../driver.ts';

const ApiRrset = Type.Object({
  name: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  records: Type.Array(Type.Object({ content: Type.String(), disabled: Type.Boolean() })),
});
const ApiZone = Type.Object({ name: Type.String(), serial: Type.Integer(), rrsets: Type.Array(ApiRrset) });
const ApiZoneList = Type.Array(Type.Object({ name: Type.String(), serial: Type.Integer() }));
const ApiKeys = Type.Array(Type.Object({ active: Type.Boolean(), ds: Type.Optional(Type.Array(Type.String())) }));

type ApiRrset = Type.Static<typeof ApiRrset>;

/** One set of a PATCH. */
export type Change =
  | { name: string; type: string; changetype: 'DELETE' }
  | { name: string; type: string; changetype: 'REPLACE'; ttl: number; records: { content: string; disabled: false }[] };

/** Answers PowerDNS's sets; throws where the body is no zone. */
export function readApiZone(body: unknown): readonly ApiRrset[] {
  if (!Check(ApiZone, body)) throw nonsense('a zone');
  return body.rrsets;
}

export function readApiZoneList(body: unknown): { name: string; serial: number }[] {
  if (!Check(ApiZoneList, body)) throw nonsense('a list of zones');
  return body.flatMap(({ name, serial }) => {
    const readable = unlessUnreadable(() => parseName(name));
    return readable === undefined ? [] : [{ name: readable, serial }];
  });
}

/** DS contents of the keys in use, but for SHA-1 digests, which RFC 8624 forbids to publish. */
export function readApiKeys(body: unknown): string[] {
  if (!Check(ApiKeys, body)) throw nonsense('a list of keys');
  return body.flatMap((key) => (key.active ? (key.ds ?? []) : []).filter((ds) => ds.split(' ')[2] !== '1'));
}

function nonsense(wanted: string): NameServerError {
  return new NameServerError('nameserver_error', `PowerDNS answered something that is not ${wanted}`);
}

/** Undefined for what we could not have put there: a type we do not know, content we cannot read, a disabled record. */
export function fromApi(set: ApiRrset): Rrset | undefined {
  if (set.records.some((record) => record.disabled)) return undefined;
  return unlessUnreadable(() => {
    const type = typeNumber(set.type);
    const rdata = set.records.map((record) => contentToWire(type, record.content));
    return { name: parseName(set.name), type, ttl: set.ttl, rdata };
  });
}

function unlessUnreadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof PresentationError) return undefined;
    throw error;
  }
}

export function toReplace({ name, type, ttl, rdata }: Rrset): Change {
  const records = rdata.map((data) => ({ content: wireToContent(type, data, 'dotted'), disabled: false as const }));
  return { name: dotted(name), type: typeName(type), changetype: 'REPLACE', ttl, records };
}

/** What must change for `there` to become `wanted`; nothing where it is so already. */
export function differences(there: readonly ApiRrset[], wanted: readonly Rrset[]): Change[] {
  const wantedByKey = new Map(wanted.map((set) => [`${dotted(set.name)} ${typeName(set.type)}`, set]));
  const changes: Change[] = [];
  for (const present of there) {
    const key = `${present.name} ${present.type}`;
    const set = wantedByKey.get(key);
    if (!set) changes.push({ name: present.name, type: present.type, changetype: 'DELETE' });
    else if (isSame(fromApi(present), set)) wantedByKey.delete(key);
  }
  return [...changes, ...[...wantedByKey.values()].map(toReplace)];
}

function isSame(one: Rrset | undefined, other: Rrset): boolean {
  if (!one || one.ttl !== other.ttl || one.rdata.length !== other.rdata.length) return false;
  const sorted = ({ rdata }: Rrset) => rdata.map((data) => Buffer.from(data).toString('hex')).sort();
  return sorted(one).join() === sorted(other).join();
}
