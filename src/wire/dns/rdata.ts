// Record data of every type that customers may write, as a table: the fields it is made of, and what must hold between
// them. Bytes are the hub: text is parsed to bytes and bytes are printed in canonical text, so there is one form of each
// record however it was written, and comparing records is comparing bytes.
import { ipv4, ipv6 } from './address-fields.ts';
import { PresentationError, WireError } from './errors.ts';
import {
  type Field,
  type NameStyle,
  blob,
  host,
  hostOrNone,
  name,
  seconds,
  string,
  strings,
  u16,
  u32,
  u8,
} from './fields.ts';
import { location } from './loc.ts';
import { checkDigest, checkDnskey, checkFingerprint, checkKey, checkNaptr } from './rdata-checks.ts';
import { Reader } from './reader.ts';
import { algorithm, certificateType, coveredType, moment, typeBitmap } from './security-fields.ts';
import { quoteBareText } from './strings.ts';
import { TYPE, typeName } from './types.ts';
import { type Word, wordsOf } from './words.ts';
import { Writer } from './writer.ts';

interface RecordType {
  readonly fields: readonly Field[];
  /** What holds beyond the single fields; throws PresentationError. */
  readonly check?: (rdata: Buffer) => void;
  /** The name server makes these itself; a customer's would be wrong at the next change. */
  readonly computed?: true;
}

const text: RecordType = { fields: [strings('text')] };

export const RECORD_TYPES = {
  A: { fields: [ipv4('address')] },
  AAAA: { fields: [ipv6('address')] },
  NS: { fields: [host('name server')] },
  CERT: { fields: [certificateType, u16('key tag'), algorithm, blob('certificate', 'base64')] },
  CNAME: { fields: [name('target')] },
  DNSKEY: { fields: [u16('flags'), u8('protocol'), algorithm, blob('key', 'base64')], check: checkDnskey },
  DS: { fields: [u16('key tag'), algorithm, u8('digest type'), blob('digest', 'hex')], check: checkDigest },
  KEY: { fields: [u16('flags'), u8('protocol'), algorithm, blob('key', 'base64')], check: checkKey },
  LOC: { fields: [location] },
  MX: { fields: [u16('priority'), hostOrNone('host')] },
  NAPTR: {
    fields: [
      u16('order'),
      u16('preference'),
      string('flags'),
      string('services'),
      string('regular expression'),
      name('replacement'),
    ],
    check: checkNaptr,
  },
  NSEC: { fields: [name('next name'), typeBitmap], computed: true },
  PTR: { fields: [name('target')] },
  RP: { fields: [name('mailbox'), name('text name')] },
  RRSIG: {
    fields: [
      coveredType,
      algorithm,
      u8('labels'),
      u32('original ttl'),
      moment('expiration'),
      moment('inception'),
      u16('key tag'),
      name('signer'),
      blob('signature', 'base64'),
    ],
    computed: true,
  },
  SOA: {
    fields: [
      name('primary name server'),
      name('mailbox'),
      u32('serial'),
      seconds('refresh'),
      seconds('retry'),
      seconds('expire'),
      seconds('minimum'),
    ],
  },
  SPF: text,
  SRV: { fields: [u16('priority'), u16('weight'), u16('port'), hostOrNone('target')] },
  SSHFP: { fields: [u8('algorithm'), u8('fingerprint type'), blob('fingerprint', 'hex')], check: checkFingerprint },
  TXT: text,
} as const satisfies Record<string, RecordType>;

export type RecordTypeName = keyof typeof RECORD_TYPES;

const BY_NUMBER = new Map<number, RecordType>(
  Object.entries(RECORD_TYPES).map(([name, type]) => [TYPE[name as RecordTypeName], type]),
);

export function isKnownType(type: number): boolean {
  return BY_NUMBER.has(type);
}

/** Whether the name server makes records of this type itself (RRSIG, NSEC). */
export function isComputedType(type: number): boolean {
  return BY_NUMBER.get(type)?.computed === true;
}

/** Content as a customer writes it: names are absolute with or without the dot, TXT may be bare. */
export function contentToWire(type: number, content: string): Buffer {
  const bareTextAllowed = type === TYPE.TXT || type === TYPE.SPF;
  return wordsToWire(type, wordsOf(bareTextAllowed ? quoteBareText(content) : content), '');
}

/** Words of a zone file, where a name without a dot belongs to the origin. */
export function wordsToWire(type: number, words: readonly Word[], origin: string): Buffer {
  const spec = specOf(type);
  const out = new Writer(64);
  let at = 0;
  try {
    for (const field of spec.fields) at += field.parse(words, at, out, origin);
    if (at < words.length) throw new PresentationError(`unexpected ${JSON.stringify(words[at]!.text)} at the end`);
  } catch (error) {
    throw error instanceof PresentationError ? new PresentationError(error.message, at) : error;
  }
  const rdata = out.finish();
  if (rdata.length > 0xffff) throw new PresentationError('the content is longer than 65535 bytes');
  spec.check?.(rdata);
  return rdata;
}

/** Canonical text of record data; throws WireError where the bytes are not data of that type. */
export function wireToContent(type: number, rdata: Uint8Array, style: NameStyle): string {
  const reader = new Reader(rdata);
  const content = specOf(type)
    .fields.map((field) => field.print(reader, style))
    .filter((part) => part !== '')
    .join(' ');
  if (reader.left > 0) throw new WireError('the record data is longer than its type');
  return content;
}

/** The one form in which content is stored and answered. Throws PresentationError with the reason. */
export function canonicalContent(type: number, content: string): string {
  return wireToContent(type, contentToWire(type, content), 'plain');
}

function specOf(type: number): RecordType {
  const spec = BY_NUMBER.get(type);
  if (!spec) throw new PresentationError(`records of type ${typeName(type)} are not supported`);
  return spec;
}
