// The address plan: which block contains which, how much of each is assigned, and the largest free block in it. Takes
// one pass over all blocks in address order, because a provider has tens of thousands of them.
import { isSortableIpv4, sortableNumber, type AddressRange } from '#lib/address-ranges.ts';
import { compareRanges } from '#lib/delivery.ts';

export interface Block extends AddressRange {
  readonly cidr: string;
  readonly isHeld: boolean;
}
export interface PlannedBlock<B extends Block> {
  readonly block: B;
  /** The smallest block that contains it. */
  readonly within: B | undefined;
  /** In hundredths of a percent, never rounded up to full or down to empty. */
  readonly usedOfTenThousand: number;
  /** Prefix length of the largest free block. */
  readonly free: number | undefined;
}

interface OpenBlock<B extends Block> {
  readonly block: B;
  readonly within: OpenBlock<B> | undefined;
  readonly from: bigint;
  readonly to: bigint;
  held: bigint;
  /** The first address that has not been looked at yet. */
  next: bigint;
  largestGapBits: number;
}

export function createAddressPlan<B extends Block>(blocks: readonly B[]): PlannedBlock<B>[] {
  const inOrder = blocks.toSorted(compareRanges);
  const opened: OpenBlock<B>[] = [];
  let parent: OpenBlock<B> | undefined;
  for (const block of inOrder) {
    while (parent !== undefined && block.first > parent.block.last) parent = closeBlock(parent);
    const [from, to] = [sortableNumber(block.first), sortableNumber(block.last)];
    const open: OpenBlock<B> = { block, within: parent, from, to, held: 0n, next: from, largestGapBits: -1 };
    if (parent !== undefined) skipPast(parent, from, to);
    if (block.isHeld && !isInHeld(parent))
      for (let outer: OpenBlock<B> | undefined = open; outer !== undefined; outer = outer.within)
        outer.held += to - from + 1n;
    opened.push(open);
    parent = open;
  }
  while (parent !== undefined) parent = closeBlock(parent);
  return opened.map(planBlock);
}

function closeBlock<B extends Block>(open: OpenBlock<B>): OpenBlock<B> | undefined {
  skipPast(open, open.to + 1n, open.to);
  return open.within;
}

/** Addresses between the last child block and the next one are a gap. */
function skipPast<B extends Block>(open: OpenBlock<B>, from: bigint, to: bigint): void {
  if (from > open.next) open.largestGapBits = Math.max(open.largestGapBits, gapBits(open.next, from - 1n));
  open.next = to + 1n;
}

/** Returns the number of host bits of the largest aligned block in the range. */
function gapBits(from: bigint, to: bigint): number {
  for (let bits = (to - from + 1n).toString(2).length - 1; bits > 0; bits--) {
    const size = 1n << BigInt(bits);
    if (((from + size - 1n) / size) * size + size - 1n <= to) return bits;
  }
  return 0;
}

function isInHeld<B extends Block>(open: OpenBlock<B> | undefined): boolean {
  for (let outer = open; outer !== undefined; outer = outer.within) if (outer.block.isHeld) return true;
  return false;
}

function planBlock<B extends Block>({ block, within, from, to, held, largestGapBits }: OpenBlock<B>): PlannedBlock<B> {
  const size = to - from + 1n;
  const isAllHeld = held === size || isInHeld(within);
  const share = Number((held * 10_000n) / size);
  const bits = isSortableIpv4(block.first) ? 32 : 128;
  return {
    block,
    within: within?.block,
    usedOfTenThousand: isAllHeld ? 10_000 : held > 0n && share === 0 ? 1 : share,
    free: isAllHeld || largestGapBits < 0 ? undefined : bits - largestGapBits,
  };
}
