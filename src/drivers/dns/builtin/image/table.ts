// An open-addressing hash table from a name's hash to items of the arena. It consists of many small segments, each of which grows
// separately, so that no insertion ever has to move everything.

const segmentBits = 8;
const segmentShift = 32 - segmentBits;
const firstCapacity = 16;
/** Marks a slot whose item was removed: searches continue after it. References to items are never 1. */
const removed = 1;

interface Segment {
  /** Pairs of hash and reference. */
  slots: Uint32Array;
  mask: number;
  /** Slots that are not empty, removed ones included. */
  taken: number;
  live: number;
}

export class HashTable {
  readonly #segments: Segment[] = Array.from({ length: 1 << segmentBits }, () => emptySegment(firstCapacity));

  /** Returns the place of the first item with this hash, or -1. Different names may have the same hash. */
  first(hash: number): number {
    return this.#search(hash >>> 0, (hash >>> 0) & this.#segments[hash >>> segmentShift]!.mask);
  }

  /** Returns the place of the next item with the same hash, or -1. */
  next(hash: number, place: number): number {
    return this.#search(hash >>> 0, (place + 1) & this.#segments[hash >>> segmentShift]!.mask);
  }

  at(hash: number, place: number): number {
    return this.#segments[hash >>> segmentShift]!.slots[place * 2 + 1]!;
  }

  #search(key: number, start: number): number {
    const { slots, mask } = this.#segments[key >>> segmentShift]!;
    for (let slot = start; ; slot = (slot + 1) & mask) {
      const ref = slots[slot * 2 + 1]!;
      if (ref === 0) return -1;
      if (slots[slot * 2] === key && ref !== removed) return slot;
    }
  }

  insert(hash: number, ref: number): void {
    const key = hash >>> 0;
    const segment = this.#segments[key >>> segmentShift]!;
    if ((segment.taken + 1) * 4 > (segment.mask + 1) * 3) rebuild(segment);
    put(segment, key, ref);
  }

  remove(hash: number, ref: number): void {
    const key = hash >>> 0;
    const segment = this.#segments[key >>> segmentShift]!;
    const { slots, mask } = segment;
    let slot = key & mask;
    while (slots[slot * 2 + 1] !== ref) slot = (slot + 1) & mask;
    slots[slot * 2 + 1] = removed;
    segment.live--;
  }
}

function emptySegment(capacity: number): Segment {
  return { slots: new Uint32Array(capacity * 2), mask: capacity - 1, taken: 0, live: 0 };
}

function put(segment: Segment, key: number, ref: number): void {
  const { slots, mask } = segment;
  let slot = key & mask;
  while (slots[slot * 2 + 1]! > removed) slot = (slot + 1) & mask;
  if (slots[slot * 2 + 1] === 0) segment.taken++;
  slots[slot * 2] = key;
  slots[slot * 2 + 1] = ref;
  segment.live++;
}

/** Drops removed slots, and makes room for at least as many items as there are. */
function rebuild(segment: Segment): void {
  let capacity = firstCapacity;
  while (capacity < (segment.live + 1) * 2) capacity *= 2;
  const { slots } = segment;
  Object.assign(segment, emptySegment(capacity));
  for (let at = 0; at < slots.length; at += 2) if (slots[at + 1]! > removed) put(segment, slots[at]!, slots[at + 1]!);
}
