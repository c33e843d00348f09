// Rules for a whole zone, so that every name server we publish to accepts it, and its serials: serial number arithmetic modulo
// 2^32 (RFC 1982), because secondaries transfer a zone only if its serial increased.
import { isWithin } from './name.ts';
import { isComputedType } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { rrTypes, typeName } from './types.ts';

export interface ZoneProblem {
  readonly name: string;
  readonly type: number;
  readonly reason: string;
}

/** Returns why a record of this type cannot be at this owner, or undefined. */
export function checkOwner(zone: string, name: string, type: number): string | undefined {
  if (!isWithin(name, zone)) return `the name is outside the zone ${zone}`;
  // The characters that PowerDNS's API accepts; SRV, DKIM and classless reverse zones need _ and /.
  if (!/^(?:\*\.)?[a-z0-9_/.-]+$/.test(name))
    return 'the name may contain only letters, digits, "-", "_", "/" and a first label "*"';
  const isApex = name === zone;
  if (type === rrTypes.SOA && !isApex) return 'SOA records are allowed only at the zone apex';
  if (type === rrTypes.DNSKEY && !isApex) return 'DNSKEY records are allowed only at the zone apex';
  if (type === rrTypes.DS && isApex) return 'the DS records of a zone belong in its parent zone';
  if (type === rrTypes.CNAME && isApex) return 'the zone apex cannot be a CNAME, because it has other records';
  return undefined;
}

/** Yields the problems of one name after the other, so that a caller can pause in a large zone. */
export function* checkZone(zone: string, rrsets: readonly Rrset[]): Generator<ZoneProblem[]> {
  const setsAt = Map.groupBy(rrsets, ({ name }) => name);
  for (const [name, sets] of setsAt) yield checkName(zone, name, sets);
  yield [rrTypes.SOA, rrTypes.NS]
    .filter((type) => !setsAt.get(zone)?.some((set) => set.type === type))
    .map((type) => ({ name: zone, type, reason: `the zone has no ${typeName(type)} record` }));
}

function checkName(zone: string, name: string, rrsets: readonly Rrset[]): ZoneProblem[] {
  const problems: ZoneProblem[] = [];
  const report = (type: number, reason: string) => void problems.push({ name, type, reason });
  const types = new Set<number>();
  for (const { type, rdata } of rrsets) {
    const reason = checkOwner(zone, name, type);
    if (reason !== undefined) report(type, reason);
    if (isSingle(type) && rdata.length > 1) report(type, `a name can have only one ${typeName(type)} record`);
    if (new Set(rdata.map(hex)).size < rdata.length) report(type, 'duplicate record');
    if (types.has(type)) report(type, 'all records of one type at a name must have the same TTL');
    types.add(type);
  }
  const otherTypes = [...types].filter((type) => type !== rrTypes.CNAME && !isComputedType(type));
  if (types.has(rrTypes.CNAME) && otherTypes.length > 0)
    report(rrTypes.CNAME, 'a CNAME cannot coexist with other records');
  return problems;
}

function isSingle(type: number): boolean {
  return type === rrTypes.SOA || type === rrTypes.CNAME;
}

function hex(rdata: Uint8Array): string {
  return Buffer.from(rdata).toString('hex');
}

/** Returns whether a secondary that has `then` would transfer `now`. */
export function isNewerSerial(now: number, then: number): boolean {
  const distance = (now - then) >>> 0;
  return distance !== 0 && distance < 0x80000000;
}

/** Returns the next serial: YYYYMMDD00 of today if that is newer, otherwise the current one plus 1. */
export function nextSerial(current: number, nowMs: number): number {
  const today = Number(new Date(nowMs).toISOString().slice(0, 10).replaceAll('-', '')) * 100;
  return isNewerSerial(today, current) ? today : (current + 1) >>> 0;
}
