// Writes a reply of the fast path into a buffer: the header, the question, packed sets of the image and the OPT record. Names are
// compressed against the name that is being looked up, which is somewhere in the reply: in the question, or in the CNAME before.
import { dnsClasses, headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { ednsOptions, type FastQuery, questionAt } from './fast-query.ts';
import { NameKey } from './image/names.ts';
import { questionPointer, readU16, recordAt, type RecordSets, writeU16, writeU32 } from './image/sets.ts';

/** Fits in a datagram on any path without fragmentation (DNS flag day 2020). */
export const maxUdpBytes = 1232;
export const maxTcpBytes = 0xffff;
/** A reply has these flags of its query. */
export const echoedFlags = headerFlags.RECURSION_DESIRED | headerFlags.CHECKING_DISABLED;
const pointerBits = 0xc000;
/** Pointers have 14 bits for the offset. */
const lastPointerTarget = 0x3fff;
const pointerBytes = 2;
const optBytes = 11;
const optionHeadBytes = 4;
const dnssecOkBit = 0x8000;

export class ReplyWriter {
  readonly #sets: RecordSets;
  readonly #nsid: Uint8Array;
  /** The client's cookie and the server's, for replies to queries that have one. */
  readonly cookie = new Uint8Array(24);
  flags = 0;
  rcode = 0;
  answers = 0;
  authorities = 0;
  additionals = 0;

  #query!: FastQuery;
  #out: Uint8Array = new Uint8Array(0);
  #base = 0;
  #at = 0;
  #questionEnd = 0;
  #limit = 0;

  /** The name that is being looked up, and its place in the reply. */
  #name = new NameKey();
  #nameOffset = 0;
  readonly #targetKeys = [new NameKey(), new NameKey()];

  constructor(sets: RecordSets, nsid: Uint8Array) {
    this.#sets = sets;
    this.#nsid = nsid;
  }

  get name(): NameKey {
    return this.#name;
  }

  /** Begins with the header and the question. */
  begin(query: FastQuery, out: Uint8Array, base: number, maxBytes: number): void {
    this.#query = query;
    this.#out = out;
    this.#base = base;
    this.#at = base;
    this.#limit = base + maxBytes - this.#optBytes();
    this.#copy(query.bytes, query.start, query.questionEnd - query.start);
    this.#questionEnd = this.#at;
    this.#name = query.key;
    this.#nameOffset = questionAt;
    this.flags = headerFlags.RESPONSE | (query.flags & echoedFlags);
    this.rcode = rcodes.NOERROR;
    this.#clear();
  }

  /** Returns the length of the reply. */
  finish(): number {
    if (this.#query.hasEdns) this.#writeOpt();
    writeU16(this.#out, this.#base + 2, this.flags | (this.rcode & 15));
    writeU16(this.#out, this.#base + 6, this.answers);
    writeU16(this.#out, this.#base + 8, this.authorities);
    writeU16(this.#out, this.#base + 10, this.additionals);
    return this.#at - this.#base;
  }

  /** Takes back all records. */
  fail(rcode: number): void {
    this.#clear();
    this.rcode = rcode;
  }

  truncate(): void {
    this.#clear();
    this.flags |= headerFlags.TRUNCATED;
  }

  /** Writes the set with the name that is being looked up as its owner. */
  writeAnswer(set: number, apexLabel: number): boolean {
    if (!this.writeSet(set, 0, apexLabel)) return false;
    this.answers += this.#sets.count(set);
    return true;
  }

  /**
   * Writes all records of a set, or none if they do not fit. The owner is the end of the name that is being looked up, from this byte
   * on. Names in the records are compressed if they end like it from `apexLabel` on.
   */
  writeSet(set: number, ownerStart: number, apexLabel: number): boolean {
    const sets = this.#sets;
    const owner = this.#pointer(ownerStart);
    const prefix = compressibleAfter(sets.type(set));
    if (prefix >= 0) return this.#writeCompressed(set, owner, apexLabel, prefix);
    const start = this.#at;
    const bytes = sets.bytes(set);
    if (start + bytes > this.#limit) return false;
    this.#copy(sets.chunk(set), sets.start(set), bytes);
    if (owner === questionPointer) return true;
    const out = this.#out;
    for (let at = start; at < this.#at; at += recordAt.rdata + readU16(out, at + recordAt.length))
      writeU16(out, at, owner);
    return true;
  }

  /** Writes records that are in wire format already. Returns false if they do not fit. */
  writeRecords(bytes: Uint8Array): boolean {
    if (this.#at + bytes.length > this.#limit) return false;
    this.#copy(bytes, 0, bytes.length);
    return true;
  }

  /** Writes the SOA of a negative answer. */
  writeNegative(soa: number, ttl: number, apexLabel: number): boolean {
    const start = this.#at;
    if (!this.writeSet(soa, this.#name.starts[apexLabel]!, apexLabel)) return false;
    writeU32(this.#out, start + recordAt.ttl, ttl);
    this.authorities++;
    return true;
  }

  /** Writes the addresses of a server in the additional section. Its name is compressed as far as it ends like the current one. */
  writeGlue(set: number, owner: NameKey): boolean {
    const sets = this.#sets;
    const chunk = sets.chunk(set);
    const first = sets.start(set);
    const end = first + sets.bytes(set);
    const start = this.#at;
    const shared = this.#sharedSuffix(owner);
    for (let at = first; at < end;) {
      const size = recordAt.rdata + readU16(chunk, at + recordAt.length);
      if (this.#at + owner.length + size > this.#limit) {
        this.#at = start;
        return false;
      }
      if (at > first && start - this.#base <= lastPointerTarget) this.#writePointer(pointerBits | (start - this.#base));
      else if (shared < 0) this.#copy(owner.bytes, 0, owner.length);
      else {
        this.#copy(owner.bytes, 0, owner.starts[shared]!);
        this.#writePointer(this.#pointer(this.#name.starts[this.#name.labels - owner.labels + shared]!));
      }
      this.#copy(chunk, at + recordAt.type, size - recordAt.type);
      at += size;
    }
    this.additionals += sets.count(set);
    return true;
  }

  /** The length of what has been written. */
  get length(): number {
    return this.#at - this.#base;
  }

  /** Continues with the target of a CNAME record that was written at this offset. It is not compressed, so that names can point into it. */
  followAlias(recordOffset: number): void {
    const at = this.#base + recordOffset + recordAt.rdata;
    const target = this.#targetKeys[this.#targetKeys[0] === this.#name ? 1 : 0]!;
    target.read(this.#out, at, this.#at);
    this.#name = target;
    this.#nameOffset = at - this.#base;
  }

  /**
   * Writes the CNAME that follows from a DNAME (RFC 6672 section 3.1): the part of the name before the DNAME's owner, and the target.
   */
  writeSynthesized(ttl: number, ownerStart: number, chunk: Uint8Array, targetAt: number, targetBytes: number): boolean {
    const bytes = ownerStart + targetBytes;
    if (this.#at + recordAt.rdata + bytes > this.#limit) return false;
    const out = this.#out;
    const start = this.#at;
    writeU16(out, start, this.#pointer(0));
    writeU16(out, start + recordAt.type, rrTypes.CNAME);
    writeU16(out, start + recordAt.class, dnsClasses.IN);
    writeU32(out, start + recordAt.ttl, ttl);
    writeU16(out, start + recordAt.length, bytes);
    this.#at += recordAt.rdata;
    this.#copy(this.#name.bytes, 0, ownerStart);
    this.#copy(chunk, targetAt, targetBytes);
    this.answers++;
    return true;
  }

  #writeCompressed(set: number, owner: number, apexLabel: number, prefix: number): boolean {
    const sets = this.#sets;
    const chunk = sets.chunk(set);
    const start = this.#at;
    const end = sets.start(set) + sets.bytes(set);
    const names = sets.type(set) === rrTypes.SOA ? 2 : 1;
    for (let at = sets.start(set); at < end;) {
      const size = recordAt.rdata + readU16(chunk, at + recordAt.length);
      const recordStart = this.#at;
      // Without regard to what compression saves: the limit is checked first, so that nothing is written beyond the buffer.
      if (recordStart + size > this.#limit) {
        this.#at = start;
        return false;
      }
      this.#copy(chunk, at, recordAt.rdata + prefix);
      let from = at + recordAt.rdata + prefix;
      for (let name = 0; name < names; name++) from = this.#writeName(chunk, from, apexLabel);
      this.#copy(chunk, from, at + size - from);
      writeU16(this.#out, recordStart, owner);
      writeU16(this.#out, recordStart + recordAt.length, this.#at - recordStart - recordAt.rdata);
      at += size;
    }
    return true;
  }

  /** Writes a name, with a pointer for its end if that is the zone's name. Returns the place after it in the chunk. */
  #writeName(chunk: Uint8Array, from: number, apexLabel: number): number {
    const name = this.#name;
    const apexStart = name.starts[apexLabel]!;
    const apexBytes = name.length - apexStart;
    let end = from;
    while (chunk[end] !== 0) end += chunk[end]! + 1;
    end++;
    let at = from;
    while (end - at > apexBytes) at += chunk[at]! + 1;
    const endsLikeApex =
      end - at === apexBytes && apexBytes > pointerBytes && areEqual(chunk, at, name.bytes, apexStart, apexBytes);
    this.#copy(chunk, from, (endsLikeApex ? at : end) - from);
    if (endsLikeApex) this.#writePointer(this.#pointer(apexStart));
    return end;
  }

  /** Returns the first label of `other` from which it equals the end of the current name, or -1. */
  #sharedSuffix(other: NameKey): number {
    const name = this.#name;
    const difference = name.labels - other.labels;
    let shared = -1;
    for (let label = other.labels - 1; label >= 0 && difference + label >= 0; label--) {
      const [start, nameStart] = [other.starts[label]!, name.starts[difference + label]!];
      if (!areEqual(other.bytes, start, name.bytes, nameStart, other.bytes[start]! + 1)) break;
      shared = label;
    }
    return shared;
  }

  #pointer(nameStart: number): number {
    return pointerBits | (this.#nameOffset + nameStart);
  }

  #writePointer(pointer: number): void {
    writeU16(this.#out, this.#at, pointer);
    this.#at += pointerBytes;
  }

  #clear(): void {
    this.#at = this.#questionEnd;
    this.answers = 0;
    this.authorities = 0;
    this.additionals = 0;
  }

  #optBytes(): number {
    if (!this.#query.hasEdns) return 0;
    const cookie = this.#query.hasCookie ? optionHeadBytes + this.cookie.length : 0;
    const nsid = this.#query.wantsNsid && this.#nsid.length > 0 ? optionHeadBytes + this.#nsid.length : 0;
    return optBytes + cookie + nsid;
  }

  #writeOpt(): void {
    const { dnssecOk, hasCookie, wantsNsid } = this.#query;
    const out = this.#out;
    const at = this.#at;
    out[at] = 0;
    writeU16(out, at + 1, rrTypes.OPT);
    writeU16(out, at + 3, maxUdpBytes);
    out[at + 5] = this.rcode >> 4;
    out[at + 6] = 0;
    writeU16(out, at + 7, dnssecOk ? dnssecOkBit : 0);
    writeU16(out, at + 9, this.#optBytes() - optBytes);
    this.#at += optBytes;
    if (hasCookie) this.#writeOption(ednsOptions.cookie, this.cookie);
    if (wantsNsid && this.#nsid.length > 0) this.#writeOption(ednsOptions.nsid, this.#nsid);
    this.additionals++;
  }

  #writeOption(code: number, data: Uint8Array): void {
    writeU16(this.#out, this.#at, code);
    writeU16(this.#out, this.#at + 2, data.length);
    this.#at += optionHeadBytes;
    this.#copy(data, 0, data.length);
  }

  #copy(source: Uint8Array, from: number, length: number): void {
    const [target, to] = [this.#out, this.#at];
    if (length > maxLoopBytes) target.set(source.subarray(from, from + length), to);
    else for (let index = 0; index < length; index++) target[to + index] = source[from + index]!;
    this.#at += length;
  }
}

/** Up to this length, a loop is faster than a call into the runtime. */
const maxLoopBytes = 128;

function areEqual(left: Uint8Array, leftAt: number, right: Uint8Array, rightAt: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (left[leftAt + index] !== right[rightAt + index]) return false;
  return true;
}

/** Returns how many bytes precede the names that may be compressed in the rdata of this type (RFC 3597 section 4), or -1. */
function compressibleAfter(type: number): number {
  if (type === rrTypes.SOA || type === rrTypes.NS || type === rrTypes.PTR) return 0;
  return type === rrTypes.MX ? 2 : -1;
}
