// The plan of addresses: which block lies in which, how much of each somebody has, and the largest piece that nobody has. One walk
// over all blocks in the order of their addresses, since a provider has tens of thousands of them.
import type { AddressRange } from '#kernel/address-ranges.ts';

export interface Block extends AddressRange {
  readonly cidr: string;
  readonly isHeld: boolean;
}
export interface Planned<B extends Block> {
  readonly block: B;
  /** The smallest block around it. */
  readonly within: B | undefined;
  /** In hundredths of a percent, never rounded up to full nor down to empty. */
  readonly usedOfTenThousand: number;
  /** The prefix length of the largest free block. */
  readonly free: number | undefined;
}

interface Open<B extends Block> {
  readonly block: B;
  readonly within: Open<B> | undefined;
  readonly from: bigint;
  readonly to: bigint;
  held: bigint;
  /** Where what is not looked at yet begins. */
  next: bigint;
  largestGapBits: number;
}

export function addressPlan<B extends Block>(blocks: readonly B[]): Planned<B>[] {
  const inOrder = blocks.toSorted((one, other) => compare(one.first, other.first) || compare(other.last, one.last));
  const opened: Open<B>[] = [];
  let around: Open<B> | undefined;
  for (const block of inOrder) {
    while (around !== undefined && block.first > around.block.last) around = closed(around);
    const [from, to] = [number(block.first), number(block.last)];
    const open: Open<B> = { block, within: around, from, to, held: 0n, next: from, largestGapBits: -1 };
    if (around !== undefined) lookPast(around, from, to);
    if (block.isHeld && !isInHeld(around))
      for (let one: Open<B> | undefined = open; one !== undefined; one = one.within) one.held += to - from + 1n;
    opened.push(open);
    around = open;
  }
  while (around !== undefined) around = closed(around);
  return opened.map(planned);
}

function closed<B extends Block>(open: Open<B>): Open<B> | undefined {
  lookPast(open, open.to + 1n, open.to);
  return open.within;
}

/** What lies before the next block within this one is a gap. */
function lookPast<B extends Block>(open: Open<B>, from: bigint, to: bigint): void {
  if (from > open.next) open.largestGapBits = Math.max(open.largestGapBits, gapBits(open.next, from - 1n));
  open.next = to + 1n;
}

/** Of the largest aligned block between the two, how many bits it leaves free. */
function gapBits(from: bigint, to: bigint): number {
  for (let bits = (to - from + 1n).toString(2).length - 1; bits > 0; bits--) {
    const size = 1n << BigInt(bits);
    if (((from + size - 1n) / size) * size + size - 1n <= to) return bits;
  }
  return 0;
}

function isInHeld<B extends Block>(open: Open<B> | undefined): boolean {
  for (let one = open; one !== undefined; one = one.within) if (one.block.isHeld) return true;
  return false;
}

function planned<B extends Block>({ block, within, from, to, held, largestGapBits }: Open<B>): Planned<B> {
  const size = to - from + 1n;
  const isAllHeld = held === size || isInHeld(within);
  const share = Number((held * 10_000n) / size);
  const bits = block.first.startsWith('4') ? 32 : 128;
  return {
    block,
    within: within?.block,
    usedOfTenThousand: isAllHeld ? 10_000 : held > 0n && share === 0 ? 1 : share,
    free: isAllHeld || largestGapBits < 0 ? undefined : bits - largestGapBits,
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
function number(text: string): bigint {
  return BigInt(`0x${text.slice(1)}`);
}
