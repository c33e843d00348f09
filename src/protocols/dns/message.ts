// Encodes and decodes DNS messages (RFC 1035 section 4, RFC 6891). dns-packet is not used because it encodes without
// name compression and in two passes, lacks four of our record types, and represents rdata as objects although the
// server has bytes. The tests use it as an independent reference.
import { WireError } from './errors.ts';
import { Reader } from './reader.ts';
import type { Rrset } from './rrset.ts';
import { headerFlags, rrTypes } from './types.ts';
import { Writer } from './writer.ts';

export const headerBytes = 12;
export const minUdpBytes = 512;
const optBytes = 11;
const optionHeadBytes = 4;
const cookieOption = 10;
const dnssecOkBit = 0x8000;

export interface Question {
  readonly name: string;
  readonly type: number;
  readonly class: number;
  /** The name's original bytes: resolvers that randomize case (0x20) expect them unchanged. */
  readonly raw?: Uint8Array;
}

export interface Edns {
  readonly udpBytes: number;
  readonly version: number;
  readonly dnssecOk: boolean;
  /** RFC 7873: the client's part, and perhaps the server's. */
  readonly cookie?: Uint8Array | undefined;
}

/** A TSIG record as received (RFC 8945); `at` is its offset, where the signed bytes end. */
export interface TsigRecord {
  readonly at: number;
  readonly key: string;
  readonly algorithm: string;
  readonly timeSeconds: number;
  readonly fudgeSeconds: number;
  readonly mac: Buffer;
  readonly originalId: number;
  readonly error: number;
  readonly other: Buffer;
}

export interface Message {
  readonly id: number;
  /** Bits of `headerFlags`. */
  readonly flags: number;
  readonly opcode: number;
  readonly rcode: number;
  readonly questions: readonly Question[];
  readonly answers: readonly Rrset[];
  readonly authorities: readonly Rrset[];
  readonly additionals: readonly Rrset[];
  readonly edns?: Edns | undefined;
  readonly tsig?: TsigRecord | undefined;
}

/** In an UPDATE (RFC 2136), a record's class says what to do with it. */
export interface DecodedRecord extends Rrset {
  readonly class: number;
}

export interface DecodedMessage extends Message {
  readonly answers: readonly DecodedRecord[];
  readonly authorities: readonly DecodedRecord[];
}

const flagBits = 0x87b0;

export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const reader = new Reader(bytes);
  const id = reader.u16();
  const bits = reader.u16();
  const [questionCount, answerCount, authorityCount, additionalCount] = [
    reader.u16(),
    reader.u16(),
    reader.u16(),
    reader.u16(),
  ];
  const questions: Question[] = [];
  for (let index = 0; index < questionCount; index++) questions.push(readQuestion(reader));
  const answers = readRecords(reader, answerCount);
  const authorities = readRecords(reader, authorityCount);
  const additionals: Rrset[] = [];
  let edns: Edns | undefined;
  let tsig: TsigRecord | undefined;
  let highRcode = 0;
  for (let index = 0; index < additionalCount; index++) {
    if (tsig) throw new WireError('a TSIG record is not the last one');
    const record = readRecord(reader);
    if (record.type === rrTypes.OPT) {
      if (edns || record.name !== '') throw new WireError('a second or named OPT record');
      const dnssecOk = (record.ttl & dnssecOkBit) !== 0;
      const cookie = findCookie(new Reader(record.rdata[0]!));
      edns = { udpBytes: record.class, version: (record.ttl >> 16) & 0xff, dnssecOk, ...(cookie && { cookie }) };
      highRcode = record.ttl >>> 24;
    } else if (record.type === rrTypes.TSIG) {
      tsig = readTsig(record);
    } else {
      additionals.push(record);
    }
  }
  if (reader.left > 0) throw new WireError('extra bytes after the message');
  const rcode = (highRcode << 4) | (bits & 15);
  return {
    id,
    flags: bits & flagBits,
    opcode: (bits >> 11) & 15,
    rcode,
    questions,
    answers,
    authorities,
    additionals,
    edns,
    tsig,
  };
}

function findCookie(options: Reader): Buffer | undefined {
  while (options.left > 0) {
    const [code, length] = [options.u16(), options.u16()];
    const data = options.slice(length);
    if (code === cookieOption) return data;
  }
  return undefined;
}

function readQuestion(reader: Reader): Question {
  const start = reader.at;
  const name = reader.name();
  const raw = reader.bytes.subarray(start, reader.at);
  return { name, type: reader.u16(), class: reader.u16(), raw };
}

interface RawRecord extends DecodedRecord {
  readonly at: number;
}

function readRecords(reader: Reader, count: number): RawRecord[] {
  const records: RawRecord[] = [];
  for (let index = 0; index < count; index++) records.push(readRecord(reader));
  return records;
}

function readRecord(reader: Reader): RawRecord {
  const { at } = reader;
  const name = reader.name();
  const [type, recordClass, ttl, length] = [reader.u16(), reader.u16(), reader.u32(), reader.u16()];
  if (length > reader.left) throw new WireError('rdata exceeds the message');
  const rdata = expandRdata(type, new Reader(reader.bytes, reader.at, reader.at + length));
  reader.at += length;
  return { at, name, type, class: recordClass, ttl, rdata: [rdata] };
}

/** The position of names in rdata: offset and count. These types may be compressed (RFC 3597 section 4). */
const nameFields: ReadonlyMap<number, { readonly after: number; readonly count: number; readonly compress: boolean }> =
  new Map([
    [rrTypes.NS, { after: 0, count: 1, compress: true }],
    [rrTypes.CNAME, { after: 0, count: 1, compress: true }],
    [rrTypes.PTR, { after: 0, count: 1, compress: true }],
    [rrTypes.SOA, { after: 0, count: 2, compress: true }],
    [rrTypes.MX, { after: 2, count: 1, compress: true }],
    [rrTypes.RP, { after: 0, count: 2, compress: false }],
    [rrTypes.SRV, { after: 6, count: 1, compress: false }],
  ]);

function expandRdata(type: number, reader: Reader): Buffer {
  const names = nameFields.get(type);
  if (!names || reader.left === 0) return reader.rest();
  const out = new Writer(64);
  out.bytes(reader.slice(names.after));
  for (let index = 0; index < names.count; index++) out.name(reader.name());
  out.bytes(reader.rest());
  return out.finish();
}

function readTsig(record: RawRecord): TsigRecord {
  const reader = new Reader(record.rdata[0]!);
  const algorithm = reader.name();
  const [timeSeconds, fudgeSeconds] = [reader.u48(), reader.u16()];
  const mac = reader.slice(reader.u16());
  const [originalId, error] = [reader.u16(), reader.u16()];
  const other = reader.slice(reader.u16());
  return { at: record.at, key: record.name, algorithm, timeSeconds, fudgeSeconds, mac, originalId, error, other };
}

/**
 * Encodes within `maxBytes`. RRsets are included completely or not at all. If an answer or authority RRset does not
 * fit, the message is empty with the TC bit, and the resolver retries over TCP. An additional RRset that does not fit
 * is omitted, which sets TC only in a referral (RFC 9471), where it is glue.
 */
export function encodeMessage(message: Message, maxBytes = 0xffff): Buffer {
  const out = new Writer(minUdpBytes);
  const ednsBytes = message.edns ? optBytes + cookieBytes(message.edns) : 0;
  const limit = maxBytes - ednsBytes;
  out.u16(message.id);
  const bits = message.flags | (message.opcode << 11) | (message.rcode & 15);
  out.u16(bits);
  out.u16(message.questions.length);
  for (const _ of ['answers', 'authorities', 'additionals']) out.u16(0);
  for (const question of message.questions) writeQuestion(out, question);

  const sectionsStart = out.at;
  const answers = writeSection(out, message.answers, limit);
  const authorities = answers.complete ? writeSection(out, message.authorities, limit) : answers;
  let additionals = { count: 0, complete: false };
  if (authorities.complete) {
    out.patchU16(6, answers.count);
    out.patchU16(8, authorities.count);
    additionals = writeSection(out, message.additionals, limit);
  } else {
    out.rewind(sectionsStart);
  }
  const truncated = !authorities.complete || (isReferral(message) && !additionals.complete);
  if (truncated) out.patchU16(2, bits | headerFlags.TRUNCATED);
  if (message.edns) writeOpt(out, message.edns, message.rcode);
  out.patchU16(10, additionals.count + (message.edns ? 1 : 0));
  return out.finish();
}

function isReferral({ flags, answers, authorities }: Message): boolean {
  return answers.length === 0 && authorities[0]?.type === rrTypes.NS && (flags & headerFlags.AUTHORITATIVE) === 0;
}

function writeQuestion(out: Writer, question: Question): void {
  // Written in canonical form first, so that later names can point to it, then overwritten with the original bytes.
  const start = out.at;
  out.compressedName(question.name);
  const end = out.at;
  if (question.raw?.length === end - start) {
    out.at = start;
    out.bytes(question.raw);
  }
  out.u16(question.type);
  out.u16(question.class);
}

function writeSection(out: Writer, sets: readonly Rrset[], limit: number): { count: number; complete: boolean } {
  let count = 0;
  for (const set of sets) {
    const mark = out.at;
    for (const rdata of set.rdata) writeRecord(out, set, rdata);
    if (out.at > limit) {
      out.rewind(mark);
      return { count, complete: false };
    }
    count += set.rdata.length;
  }
  return { count, complete: true };
}

function writeRecord(out: Writer, set: Rrset, rdata: Uint8Array): void {
  out.compressedName(set.name);
  out.u16(set.type);
  out.u16(1);
  out.u32(set.ttl);
  const lengthAt = out.at;
  out.u16(0);
  const names = nameFields.get(set.type);
  if (names?.compress) writeCompressed(out, rdata, names);
  else out.bytes(rdata);
  out.patchU16(lengthAt, out.at - lengthAt - 2);
}

function writeCompressed(out: Writer, rdata: Uint8Array, names: { after: number; count: number }): void {
  const reader = new Reader(rdata);
  out.bytes(reader.slice(names.after));
  for (let index = 0; index < names.count; index++) out.compressedName(reader.name());
  out.bytes(reader.rest());
}

function writeOpt(out: Writer, edns: Edns, rcode: number): void {
  out.u8(0);
  out.u16(rrTypes.OPT);
  out.u16(edns.udpBytes);
  out.u32((((rcode >> 4) << 24) | (edns.version << 16) | (edns.dnssecOk ? dnssecOkBit : 0)) >>> 0);
  out.u16(cookieBytes(edns));
  if (!edns.cookie) return;
  out.u16(cookieOption);
  out.u16(edns.cookie.length);
  out.bytes(edns.cookie);
}

function cookieBytes({ cookie }: Edns): number {
  return cookie ? optionHeadBytes + cookie.length : 0;
}
