// The newest output of a serial line, in numbered blocks. Stored blocks are dropped from memory except for the last, which
// further output fills: however much a line has printed, memory and each write stay small.
export interface OutputBlock {
  readonly number: number;
  readonly bytes: Buffer;
}

export interface SerialOutput {
  push(data: Buffer): void;
  /** The number of the first block in memory: earlier ones are stored. */
  first(): number;
  /** All output in memory, oldest first. */
  contents(): Buffer;
  hasUnsaved(): boolean;
  /** Returns the blocks that changed since they were stored. */
  unsaved(): OutputBlock[];
  /** These blocks are stored. */
  markSaved(blocks: readonly OutputBlock[]): void;
}

export const blockBytes = 16 * 1024;

/** `last` is the last stored block; `capacity` is how many blocks are kept while none can be stored. */
export function serialOutput(last: OutputBlock, capacity: number): SerialOutput {
  let blocks = [{ number: last.number, chunks: [last.bytes], length: last.bytes.length, saved: last.bytes.length }];
  const isUnsaved = ({ length, saved }: (typeof blocks)[number]): boolean => length > saved;
  const join = (block: (typeof blocks)[number]): Buffer => {
    if (block.chunks.length > 1) block.chunks = [Buffer.concat(block.chunks)];
    return block.chunks[0]!;
  };
  return {
    push(data) {
      for (let rest = data; rest.length > 0;) {
        const current = blocks.at(-1)!;
        const added = rest.subarray(0, Math.max(0, blockBytes - current.length));
        current.chunks.push(added);
        current.length += added.length;
        rest = rest.subarray(added.length);
        if (rest.length > 0)
          blocks.push({ number: current.number + 1, chunks: [Buffer.alloc(0)], length: 0, saved: 0 });
      }
      blocks = blocks.slice(-capacity);
    },
    first: () => blocks[0]!.number,
    contents: () => Buffer.concat(blocks.map(join)),
    hasUnsaved: () => blocks.some(isUnsaved),
    unsaved: () => blocks.filter(isUnsaved).map((block) => ({ number: block.number, bytes: join(block) })),
    markSaved(stored) {
      const lengths = new Map(stored.map(({ number, bytes }) => [number, bytes.length]));
      for (const block of blocks) block.saved = lengths.get(block.number) ?? block.saved;
      blocks = blocks.filter((block, index) => index === blocks.length - 1 || isUnsaved(block));
    },
  };
}
