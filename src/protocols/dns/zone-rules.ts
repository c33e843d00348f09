// Rules for a whole zone, so that every name server we publish to accepts it, and its serials: serial number arithmetic modulo
// 2^32 (RFC 1982), because secondaries transfer a zone only if its serial increased.
import { ancestorNames, isWithin, parentName } from './name.ts';
import { isComputedType } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { rrTypes, typeName } from './types.ts';

export interface ZoneProblem {
  readonly name: string;
  readonly type: number;
  readonly reason: string;
}

const apexTypes: ReadonlySet<number> = new Set([rrTypes.SOA, rrTypes.DNSKEY, rrTypes.CDS, rrTypes.CDNSKEY]);
const singleTypes: ReadonlySet<number> = new Set([rrTypes.SOA, rrTypes.CNAME, rrTypes.DNAME, rrTypes.ALIAS]);
/** Types that an ALIAS replaces. */
export const addressTypes: ReadonlySet<number> = new Set([rrTypes.A, rrTypes.AAAA]);

/** Returns why a record of this type cannot be at this owner, or undefined. */
export function checkOwner(zone: string, name: string, type: number): string | undefined {
  if (!isWithin(name, zone)) return `the name is outside the zone ${zone}`;
  // SRV, DKIM and classless reverse zones need _ and /. A star is a wildcard only as the whole first label.
  if (!/^[a-z0-9_/*.-]+$/.test(name)) return 'the name may contain only letters, digits, "-", "_", "/" and "*"';
  const isApex = name === zone;
  if (apexTypes.has(type) && !isApex) return `${typeName(type)} records are allowed only at the zone apex`;
  if (type === rrTypes.DS && isApex) return 'the DS records of a zone belong in its parent zone';
  if (type === rrTypes.CNAME && isApex) return 'the zone apex cannot be a CNAME, because it has other records';
  return undefined;
}

/** Yields the problems of one name after the other, so that a caller can pause in a large zone. */
export function* checkZone(zone: string, setsAt: ReadonlyMap<string, readonly Rrset[]>): Generator<ZoneProblem[]> {
  const dnames = new Set<string>();
  for (const [name, sets] of setsAt) if (sets.some(({ type }) => type === rrTypes.DNAME)) dnames.add(name);
  for (const [name, sets] of setsAt) {
    const above = findDname(zone, dnames, name);
    const hidden =
      above === undefined
        ? []
        : sets.map(({ type }) => ({ name, type, reason: `nothing can be below the DNAME at ${above}` }));
    yield [...checkName(zone, name, sets), ...hidden];
  }
  yield [rrTypes.SOA, rrTypes.NS]
    .filter((type) => !setsAt.get(zone)?.some((set) => set.type === type))
    .map((type) => ({ name: zone, type, reason: `the zone has no ${typeName(type)} record` }));
}

/** Returns the DNAME above a name, which hides it (RFC 6672 section 2.4). */
export function findDname(zone: string, dnames: ReadonlySet<string>, name: string): string | undefined {
  if (dnames.size === 0 || name === zone || !isWithin(name, zone)) return undefined;
  return ancestorNames(parentName(name), zone).find((ancestor) => dnames.has(ancestor));
}

function checkName(zone: string, name: string, rrsets: readonly Rrset[]): ZoneProblem[] {
  const problems: ZoneProblem[] = [];
  const report = (type: number, reason: string) => void problems.push({ name, type, reason });
  const types = new Set<number>();
  for (const { type, rdata } of rrsets) {
    const reason = checkOwner(zone, name, type);
    if (reason !== undefined) report(type, reason);
    if (singleTypes.has(type) && rdata.length > 1) report(type, `a name can have only one ${typeName(type)} record`);
    if (new Set(rdata.map(hex)).size < rdata.length) report(type, 'duplicate record');
    if (types.has(type)) report(type, 'all records of one type at a name must have the same TTL');
    types.add(type);
  }
  const otherTypes = [...types].filter((type) => type !== rrTypes.CNAME && !isComputedType(type));
  if (types.has(rrTypes.CNAME) && otherTypes.length > 0)
    report(rrTypes.CNAME, 'a CNAME cannot coexist with other records');
  if (types.has(rrTypes.ALIAS) && otherTypes.some((type) => addressTypes.has(type)))
    report(rrTypes.ALIAS, 'an ALIAS cannot coexist with A and AAAA records');
  return problems;
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
