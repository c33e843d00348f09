// Writes a zone file that BIND's named-checkzone accepts, always in the same order, so that exports of the same zone
// are equal and diffs show only changes.
import { sortByName, toAbsolute, relativeName } from './name.ts';
import { wireToContent } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { rrTypes, typeName } from './types.ts';

export function printMasterFile(zone: string, rrsets: Iterable<Rrset>): string {
  return [...printMasterLines(zone, rrsets)].join('');
}

/** Yields one line after the other, so that a caller can pause in a large zone. */
export function* printMasterLines(zone: string, rrsets: Iterable<Rrset>): Generator<string> {
  yield `$ORIGIN ${toAbsolute(zone)}\n`;
  for (const { name, type, ttl, rdata } of sortByName([...rrsets].sort(compareTypes))) {
    const contents = rdata.map((data) => wireToContent(type, data, 'dotted')).sort();
    for (const content of contents) yield `${relativeName(name, zone)}\t${ttl}\tIN\t${typeName(type)}\t${content}\n`;
  }
}

/** SOA first, as the format requires, then NS, then by number. */
function compareTypes(left: Rrset, right: Rrset): number {
  return typeRank(left.type) - typeRank(right.type);
}

function typeRank(type: number): number {
  if (type === rrTypes.SOA) return -2;
  return type === rrTypes.NS ? -1 : type;
}
