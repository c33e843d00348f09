// Reads the plain queries that are answered straight from bytes to bytes: one question in class IN, with or without EDNS. Everything else
// is left to `respond.ts`.
import { dnsClasses, headerFlags, rrTypes } from '#protocols/dns/types.ts';
import { isWellFormed } from './cookies.ts';
import { NameKey } from './image/names.ts';
import { readU16, readU32 } from './image/sets.ts';

export const questionAt = 12;
const optBytes = 11;
export const ednsOptions = { nsid: 3, cookie: 10 };
const dnssecOkBit = 0x8000;

/** QR, opcode: both must be zero. */
const notPlainBits = headerFlags.RESPONSE | 0x7800;

export class FastQuery {
  readonly key = new NameKey();
  /** The message, which begins at `start` of `bytes`. */
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  questionEnd = 0;
  flags = 0;
  type = 0;
  hasEdns = false;
  udpBytes = 0;
  version = 0;
  dnssecOk = false;
  wantsNsid = false;
  /** The place of the cookie in `bytes`, and its size; 0 if there is none. */
  cookieAt = 0;
  cookieBytes = 0;
  isMalformed = false;

  get hasCookie(): boolean {
    return this.cookieBytes > 0 && !this.isMalformed;
  }

  /** Returns false if this is not a plain query. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start < questionAt + 5) return false;
    this.flags = readU16(bytes, start + 2);
    if (this.flags & notPlainBits) return false;
    // One question, no answers, no authorities, and at most one additional record.
    if (readU16(bytes, start + 4) !== 1 || readU32(bytes, start + 6) !== 0) return false;
    const additionals = readU16(bytes, start + 10);
    if (additionals > 1) return false;
    const nameEnd = this.key.read(bytes, start + questionAt, end);
    if (nameEnd < 0 || nameEnd + 4 > end) return false;
    this.type = readU16(bytes, nameEnd);
    if (!isPlainType(this.type) || readU16(bytes, nameEnd + 2) !== dnsClasses.IN) return false;
    this.bytes = bytes;
    this.start = start;
    this.questionEnd = nameEnd + 4;
    this.hasEdns = additionals === 1;
    this.cookieBytes = 0;
    this.wantsNsid = false;
    this.isMalformed = false;
    this.dnssecOk = false;
    this.udpBytes = 0;
    this.version = 0;
    return this.hasEdns ? this.readOpt(nameEnd + 4, end) : nameEnd + 4 === end;
  }

  private readOpt(at: number, end: number): boolean {
    const { bytes } = this;
    if (at + optBytes > end || bytes[at] !== 0 || readU16(bytes, at + 1) !== rrTypes.OPT) return false;
    this.udpBytes = readU16(bytes, at + 3);
    this.version = bytes[at + 6]!;
    this.dnssecOk = (readU16(bytes, at + 7) & dnssecOkBit) !== 0;
    if (at + optBytes + readU16(bytes, at + 9) !== end) return false;
    let option = at + optBytes;
    while (option < end) {
      if (option + 4 > end) return false;
      const code = readU16(bytes, option);
      const length = readU16(bytes, option + 2);
      option += 4;
      if (option + length > end) return false;
      if (code === ednsOptions.cookie && this.cookieBytes === 0) {
        this.cookieAt = option;
        this.cookieBytes = length;
        this.isMalformed = !isWellFormed(length);
      } else if (code === ednsOptions.nsid) this.wantsNsid = true;
      option += length;
    }
    return true;
  }
}

function isPlainType(type: number): boolean {
  return type !== 0 && type !== rrTypes.OPT && (type < rrTypes.TSIG || type >= rrTypes.ANY);
}
