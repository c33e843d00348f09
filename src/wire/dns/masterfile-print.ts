// Writes a zone file that BIND's named-checkzone accepts, always in the same order, so that two exports of one zone are
// equal and a diff of two states shows only what changed.
import { compareNames, dotted, relativeName } from './name.ts';
import { wireToContent } from './rdata.ts';
import type { Rrset } from './rrset.ts';
import { TYPE, typeName } from './types.ts';

export function printMasterFile(zone: string, rrsets: Iterable<Rrset>): string {
  const ordered = [...rrsets].sort((one, other) => compareNames(one.name, other.name) || compareTypes(one, other));
  const lines = [`$ORIGIN ${dotted(zone)}`];
  for (const { name, type, ttl, rdata } of ordered) {
    const contents = rdata.map((data) => wireToContent(type, data, 'dotted')).sort();
    for (const content of contents) {
      lines.push(`${relativeName(name, zone)}\t${ttl}\tIN\t${typeName(type)}\t${content}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** SOA first, as the format demands, then NS, then by number. */
function compareTypes(one: Rrset, other: Rrset): number {
  return typeRank(one.type) - typeRank(other.type);
}

function typeRank(type: number): number {
  if (type === TYPE.SOA) return -2;
  return type === TYPE.NS ? -1 : type;
}
