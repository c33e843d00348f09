// What must hold in a zone beyond the single record, so that every name server we publish to takes it.
import { isWithin } from './name.ts';
import { isComputedType } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { TYPE, typeName } from './types.ts';

export interface ZoneProblem {
  readonly name: string;
  readonly type: number;
  readonly reason: string;
}

/** Why a record of this type cannot stand at this name of the zone; undefined where it can. */
export function ownerProblem(zone: string, name: string, type: number): string | undefined {
  if (!isWithin(name, zone)) return `the name is outside the zone ${zone}`;
  // The characters that PowerDNS's API takes; SRV, DKIM and classless reverse zones need _ and /.
  if (!/^(?:\*\.)?[a-z0-9_/.-]+$/.test(name))
    return 'the name may have letters, digits, "-", "_", "/" and a first label "*" only';
  const isApex = name === zone;
  if (type === TYPE.SOA && !isApex) return 'a SOA record belongs to the top of the zone';
  if (type === TYPE.DNSKEY && !isApex) return 'a DNSKEY record belongs to the top of the zone';
  if (type === TYPE.DS && isApex) return 'the DS records of a zone belong to its parent';
  if (type === TYPE.CNAME && isApex) return 'the top of a zone has other records and so cannot be a CNAME';
  return undefined;
}

/** Everything wrong with a whole zone, as before an import is applied. */
export function zoneProblems(zone: string, rrsets: readonly Rrset[]): ZoneProblem[] {
  const problems: ZoneProblem[] = [];
  const report = (name: string, type: number, reason: string) => void problems.push({ name, type, reason });
  const typesAt = new Map<string, Set<number>>();
  for (const { name, type, rdata } of rrsets) {
    const reason = ownerProblem(zone, name, type);
    if (reason !== undefined) report(name, type, reason);
    if (isSingle(type) && rdata.length > 1)
      report(name, type, `there can be only one ${typeName(type)} record at a name`);
    if (new Set(rdata.map(hex)).size < rdata.length) report(name, type, 'the same record stands there twice');
    const types = typesAt.get(name) ?? new Set();
    if (types.has(type)) report(name, type, 'the records of one type at a name must have one TTL');
    typesAt.set(name, types.add(type));
  }
  for (const [name, types] of typesAt) {
    const beside = [...types].filter((type) => type !== TYPE.CNAME && !isComputedType(type));
    if (types.has(TYPE.CNAME) && beside.length > 0)
      report(name, TYPE.CNAME, 'a CNAME cannot stand beside other records');
  }
  for (const type of [TYPE.SOA, TYPE.NS]) {
    if (!typesAt.get(zone)?.has(type)) report(zone, type, `the zone has no ${typeName(type)} record`);
  }
  return problems;
}

function isSingle(type: number): boolean {
  return type === TYPE.SOA || type === TYPE.CNAME;
}

function hex(rdata: Uint8Array): string {
  return Buffer.from(rdata).toString('hex');
}
