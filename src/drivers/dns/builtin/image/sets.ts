// RRsets in the arena, packed as they are sent. Each record begins with a compression pointer to its owner, which answers to most
// questions can leave: it points to the question.
import { dnsClasses } from '#protocols/dns/types.ts';
import { type Arena, byteAt, wordAt } from './arena.ts';

/** Words of a set: a reference to the next one of the node, the type and the number of records, and the bytes of the records after it. */
const words = { next: 0, typeAndCount: 1, bytes: 2 };
const headBytes = 3 * Uint32Array.BYTES_PER_ELEMENT;

/** Offsets within a packed record. */
export const recordAt = { type: 2, class: 4, ttl: 6, length: 10, rdata: 12 };
/** Points to the name of the question, which follows the header of every message. */
export const questionPointer = 0xc00c;

export class RecordSets {
  readonly arena: Arena;

  constructor(arena: Arena) {
    this.arena = arena;
  }

  next(set: number): number {
    return this.arena.wordsOf(set)[wordAt(set) + words.next]!;
  }

  type(set: number): number {
    return this.arena.wordsOf(set)[wordAt(set) + words.typeAndCount]! >>> 16;
  }

  count(set: number): number {
    return this.arena.wordsOf(set)[wordAt(set) + words.typeAndCount]! & 0xffff;
  }

  /** The size of all records. */
  bytes(set: number): number {
    return this.arena.wordsOf(set)[wordAt(set) + words.bytes]!;
  }

  /** Returns the index of the first record in the set's chunk. */
  start(set: number): number {
    return byteAt(set) + headBytes;
  }

  chunk(set: number): Uint8Array {
    return this.arena.bytesOf(set);
  }

  ttl(set: number): number {
    return readU32(this.chunk(set), this.start(set) + recordAt.ttl);
  }

  /** Returns the set of this type in a list of sets, or 0. */
  find(first: number, type: number): number {
    for (let set = first; set !== 0; set = this.next(set)) if (this.type(set) === type) return set;
    return 0;
  }

  /** The rdata of each record. It is only valid until the next change. */
  rdata(set: number): Uint8Array[] {
    const chunk = this.chunk(set);
    const end = this.start(set) + this.bytes(set);
    const list: Uint8Array[] = [];
    for (let at = this.start(set); at < end;) {
      const length = readU16(chunk, at + recordAt.length);
      list.push(chunk.subarray(at + recordAt.rdata, at + recordAt.rdata + length));
      at += recordAt.rdata + length;
    }
    return list;
  }

  /** Returns the list with the record added to the set of its type. All records of a set have the TTL of the first. */
  add(first: number, type: number, ttl: number, rdata: Uint8Array): number {
    const existing = this.find(first, type);
    const before = existing === 0 ? 0 : this.bytes(existing);
    const set = this.arena.allocate(headBytes + before + recordAt.rdata + rdata.length);
    const chunk = this.chunk(set);
    const at = wordAt(set);
    const head = this.arena.wordsOf(set);
    head[at + words.bytes] = before + recordAt.rdata + rdata.length;
    head[at + words.typeAndCount] = ((type << 16) | ((existing === 0 ? 0 : this.count(existing)) + 1)) >>> 0;
    const recordStart = this.start(set) + before;
    if (existing !== 0) {
      const source = this.start(existing);
      chunk.set(this.chunk(existing).subarray(source, source + before), this.start(set));
    }
    writeU16(chunk, recordStart, questionPointer);
    writeU16(chunk, recordStart + recordAt.type, type);
    writeU16(chunk, recordStart + recordAt.class, dnsClasses.IN);
    writeU32(chunk, recordStart + recordAt.ttl, existing === 0 ? ttl : this.ttl(existing));
    writeU16(chunk, recordStart + recordAt.length, rdata.length);
    for (let index = 0; index < rdata.length; index++) chunk[recordStart + recordAt.rdata + index] = rdata[index]!;
    head[at + words.next] = existing === 0 ? 0 : this.next(existing);
    return this.#replace(first, existing, set);
  }

  /** Frees all sets of a list. */
  free(first: number): void {
    for (let set = first; set !== 0;) {
      const next = this.next(set);
      this.#freeOne(set);
      set = next;
    }
  }

  /** Replaces `existing` by the set, or appends the set to the list. */
  #replace(first: number, existing: number, set: number): number {
    let previous = 0;
    for (let current = first; current !== existing; current = this.next(current)) previous = current;
    if (existing !== 0) this.#freeOne(existing);
    if (previous === 0) return set;
    this.arena.wordsOf(previous)[wordAt(previous) + words.next] = set;
    return first;
  }

  #freeOne(set: number): void {
    this.arena.free(set, headBytes + this.bytes(set));
  }
}

export function readU16(bytes: Uint8Array, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

export function readU32(bytes: Uint8Array, at: number): number {
  return ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
}

export function writeU16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

export function writeU32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}
