// Converts zones between PowerDNS's API and ours, and computes the changes between them.
import { Type } from 'typebox';
import { Check } from 'typebox/schema';
import { undefinedIfUnreadable } from '#protocols/dns/errors.ts';
import { toAbsolute, parseName } from '#protocols/dns/name.ts';
import { contentToWire, wireToContent } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { typeName, typeNumber } from '#protocols/dns/types.ts';
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

/** One RRset of a PATCH. */
export type Change =
  | { name: string; type: string; changetype: 'DELETE' }
  | { name: string; type: string; changetype: 'REPLACE'; ttl: number; records: { content: string; disabled: false }[] };

/** Throws if the body is not a zone. */
export function readApiZone(body: unknown): readonly ApiRrset[] {
  if (!Check(ApiZone, body)) throw unexpectedBody('a zone');
  return body.rrsets;
}

export function readApiZoneList(body: unknown): { name: string; serial: number }[] {
  if (!Check(ApiZoneList, body)) throw unexpectedBody('a list of zones');
  return body.flatMap(({ name, serial }) => {
    const parsed = undefinedIfUnreadable(() => parseName(name));
    return parsed === undefined ? [] : [{ name: parsed, serial }];
  });
}

/** Returns the DS contents of active keys, without SHA-1 digests, which RFC 8624 forbids to publish. */
export function readApiKeys(body: unknown): string[] {
  if (!Check(ApiKeys, body)) throw unexpectedBody('a list of keys');
  return body.flatMap((key) => (key.active ? (key.ds ?? []) : []).filter((ds) => ds.split(' ')[2] !== '1'));
}

function unexpectedBody(expected: string): NameServerError {
  return new NameServerError('nameserver_error', `PowerDNS sent something other than ${expected}`);
}

/** Returns undefined for what we cannot have published: an unknown type, unreadable content, a disabled record. */
export function parseApiRrset(set: ApiRrset): Rrset | undefined {
  if (set.records.some((record) => record.disabled)) return undefined;
  return undefinedIfUnreadable(() => {
    const type = typeNumber(set.type);
    const rdata = set.records.map((record) => contentToWire(type, record.content));
    return { name: parseName(set.name), type, ttl: set.ttl, rdata };
  });
}

export function toReplace({ name, type, ttl, rdata }: Rrset): Change {
  const records = rdata.map((data) => ({ content: wireToContent(type, data, 'dotted'), disabled: false as const }));
  return { name: toAbsolute(name), type: typeName(type), changetype: 'REPLACE', ttl, records };
}

/** Returns the changes that turn `current` into `expected`. */
export function diffZone(current: readonly ApiRrset[], expected: readonly Rrset[]): Change[] {
  const expectedByKey = new Map(expected.map((set) => [`${toAbsolute(set.name)} ${typeName(set.type)}`, set]));
  const changes: Change[] = [];
  for (const existing of current) {
    const key = `${existing.name} ${existing.type}`;
    const set = expectedByKey.get(key);
    if (!set) changes.push({ name: existing.name, type: existing.type, changetype: 'DELETE' });
    else if (isSame(parseApiRrset(existing), set)) expectedByKey.delete(key);
  }
  return [...changes, ...[...expectedByKey.values()].map(toReplace)];
}

function isSame(left: Rrset | undefined, right: Rrset): boolean {
  if (!left || left.ttl !== right.ttl || left.rdata.length !== right.rdata.length) return false;
  const sorted = ({ rdata }: Rrset) => rdata.map((data) => Buffer.from(data).toString('hex')).sort();
  return sorted(left).join() === sorted(right).join();
}
