// Memory for what the image consists of, in chunks of bytes, without an object per item. An item is known by a reference: its place in
// units of 8 bytes; 0 is none. Freed items are reused for items of the same size class.

const chunkShift = 19;
const unitBytes = 8;
const chunkUnits = 1 << chunkShift;
const placeMask = chunkUnits - 1;
/** In units. Sizes up to here are their own class; above, a class is an eighth larger than the one before. */
const exactUnits = 32;
const classesPerDoubling = 8;

export class Arena {
  readonly #bytes: Uint8Array[] = [];
  readonly #words: Uint32Array[] = [];
  /** The free items of each size class; the first word of a free item refers to the next. */
  readonly #free = new Uint32Array(sizeClass(chunkUnits) + 1);
  /** The end of the used part of the last chunk, in units. References 0 and 1 are never given out: they have other meanings. */
  #end = 2;
  #usedBytes = 0;

  constructor() {
    this.#addChunk();
  }

  /** The bytes of the items in use. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** The bytes of all chunks. */
  get totalBytes(): number {
    return this.#bytes.length * chunkUnits * unitBytes;
  }

  /** The chunk that holds an item, as bytes. */
  bytesOf(ref: number): Uint8Array {
    return this.#bytes[ref >>> chunkShift]!;
  }

  /** The same chunk as words. */
  wordsOf(ref: number): Uint32Array {
    return this.#words[ref >>> chunkShift]!;
  }

  /** Returns an item of at least this size, with unknown content. */
  allocate(bytes: number): number {
    const needed = sizeClass((bytes + unitBytes - 1) >>> 3);
    const units = classUnits(needed);
    this.#usedBytes += units * unitBytes;
    const reused = this.#free[needed]!;
    if (reused !== 0) {
      this.#free[needed] = this.wordsOf(reused)[wordAt(reused)]!;
      return reused;
    }
    if (units > chunkUnits) throw new RangeError('the item is larger than a chunk');
    if ((this.#end & placeMask) + units > chunkUnits || (this.#end & placeMask) === 0) this.#addChunk();
    const ref = this.#end;
    this.#end += units;
    return ref;
  }

  /** `bytes` must be what it was allocated with. */
  free(ref: number, bytes: number): void {
    const freed = sizeClass((bytes + unitBytes - 1) >>> 3);
    this.#usedBytes -= classUnits(freed) * unitBytes;
    this.wordsOf(ref)[wordAt(ref)] = this.#free[freed]!;
    this.#free[freed] = ref;
  }

  #addChunk(): void {
    const chunk = new ArrayBuffer(chunkUnits * unitBytes);
    if (this.#bytes.length > 0) this.#end = this.#bytes.length * chunkUnits;
    this.#bytes.push(new Uint8Array(chunk));
    this.#words.push(new Uint32Array(chunk));
  }
}

/** Returns the index of an item in its chunk's bytes. */
export function byteAt(ref: number): number {
  return (ref & placeMask) << 3;
}

/** Returns the index of an item in its chunk's words. */
export function wordAt(ref: number): number {
  return (ref & placeMask) << 1;
}

function sizeClass(units: number): number {
  if (units <= exactUnits) return units;
  // The position of the highest bit, and the three bits after it, rounded up.
  const doubling = 31 - Math.clz32(units - 1);
  const step = 1 << (doubling - 3);
  return exactUnits + (doubling - 5) * classesPerDoubling + Math.ceil((units - (1 << doubling)) / step);
}

function classUnits(index: number): number {
  if (index <= exactUnits) return index;
  const above = index - exactUnits - 1;
  const doubling = 5 + Math.floor(above / classesPerDoubling);
  return (1 << doubling) + ((above % classesPerDoubling) + 1) * (1 << (doubling - 3));
}
