// Numbers from the IANA DNS registry, with their mnemonics.
import { PresentationError } from './errors.ts';

export const rrTypes = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  KEY: 25,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  CERT: 37,
  DNAME: 39,
  OPT: 41,
  DS: 43,
  SSHFP: 44,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  TSIG: 250,
  IXFR: 251,
  AXFR: 252,
  MAILB: 253,
  MAILA: 254,
  ANY: 255,
  URI: 256,
  CAA: 257,
  /** Ours and PowerDNS's, for records that we replace by addresses. It never appears in a message. */
  ALIAS: 65401,
} as const;

export const dnsClasses = { IN: 1, NONE: 254, ANY: 255 } as const;
export const opcodes = { QUERY: 0, NOTIFY: 4, UPDATE: 5 } as const;
export const rcodes = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
  BADVERS: 16,
} as const;
export const headerFlags = {
  RESPONSE: 0x8000,
  AUTHORITATIVE: 0x0400,
  TRUNCATED: 0x0200,
  RECURSION_DESIRED: 0x0100,
  RECURSION_AVAILABLE: 0x0080,
  CHECKING_DISABLED: 0x0010,
} as const;

const typeNames = new Map<number, string>(Object.entries(rrTypes).map(([name, number]) => [number, name]));
const typeNumbers = new Map<string, number>(Object.entries(rrTypes));

/** Returns false for the types of queries and of the protocol itself (RFC 6895 section 3.1), which no zone can have. */
export function isDataType(type: number): boolean {
  return type > 0 && type < 0xffff && type !== rrTypes.OPT && !(type >= 128 && type <= 255);
}

export function typeName(type: number): string {
  return typeNames.get(type) ?? `TYPE${type}`;
}

export function typeNumber(name: string): number {
  const upper = name.toUpperCase();
  const number = typeNumbers.get(upper) ?? (/^TYPE\d{1,5}$/.test(upper) ? Number(upper.slice(4)) : undefined);
  if (number === undefined || number > 0xffff)
    throw new PresentationError(`${JSON.stringify(name)} is not a record type`);
  return number;
}
