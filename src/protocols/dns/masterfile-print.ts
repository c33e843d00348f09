// Writes a zone file that BIND's named-checkzone accepts, always in the same order, so that exports of the same zone
// are equal and diffs show only changes.
import { toAbsolute, relativeName } from './name.ts';
import { wireToContent } from './rdata.ts';
import { rrTypes, typeName } from './types.ts';

export interface PrintedRecord {
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  readonly rdata: Uint8Array;
}

/** The first line of the file. */
export function printOrigin(zone: string): string {
  return `$ORIGIN ${toAbsolute(zone)}\n`;
}

/** Prints all records of some names. The file's first name must be the zone's, because the format starts with the SOA. */
export function printMasterLines(zone: string, records: readonly PrintedRecord[]): string {
  const names = [...Map.groupBy(records, ({ name }) => name).values()];
  const sets = names.flatMap((ofName) => [...Map.groupBy(ofName.toSorted(compareTypes), ({ type }) => type).values()]);
  return sets.flatMap((set) => set.map((record) => printLine(zone, record)).sort()).join('');
}

function printLine(zone: string, { name, type, ttl, rdata }: PrintedRecord): string {
  return `${relativeName(name, zone)}\t${ttl}\tIN\t${typeName(type)}\t${wireToContent(type, rdata, 'dotted')}\n`;
}

/** SOA first, as the format requires, then NS, then by number. */
function compareTypes(left: PrintedRecord, right: PrintedRecord): number {
  return typeRank(left.type) - typeRank(right.type);
}

function typeRank(type: number): number {
  if (type === rrTypes.SOA) return -2;
  return type === rrTypes.NS ? -1 : type;
}
