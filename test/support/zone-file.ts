import { printMasterLines, printOrigin } from '#protocols/dns/masterfile-print.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { comparePaths } from '#store/dns/path.ts';

/** Prints a zone in the order in which the store returns its records. */
export function printMasterFile(zone: string, rrsets: Iterable<Rrset>): string {
  const records = [...rrsets].flatMap(({ rdata, ...set }) => rdata.map((data) => ({ ...set, rdata: data })));
  return printOrigin(zone) + printMasterLines(zone, records.sort(comparePaths));
}
