// How the addresses of a block reach the device: `routed` to its main address, or `on-link`, in a network segment that
// the device shares with a gateway. The smallest block around it for which the site file says so decides.
import type { AddressRange } from './address-ranges.ts';

export type Delivery = 'routed' | 'on-link';

export function deliveryOf(
  block: AddressRange,
  blocks: readonly (AddressRange & { readonly delivery: Delivery | null })[],
): Delivery {
  return (
    smallestAround(
      block,
      blocks.filter(({ delivery }) => delivery !== null),
    )?.delivery ?? 'on-link'
  );
}

export function smallestAround<Block extends AddressRange>(
  inner: AddressRange,
  blocks: readonly Block[],
): Block | undefined {
  return blocks
    .filter((block) => contains(block, inner))
    .reduce<Block | undefined>(
      (best, block) => (best === undefined || contains(best, block) ? block : best),
      undefined,
    );
}

/**
 * Returns a function that finds the networks around a range, the smallest first, without looking at all of them. Two networks are
 * disjoint, or one contains the other.
 */
export function createEnclosing<Block extends AddressRange>(
  blocks: readonly Block[],
): (inner: AddressRange) => Block[] {
  const sorted = blocks.toSorted(compareRanges);
  const parents: (number | undefined)[] = [];
  for (const [index, block] of sorted.entries()) {
    let parent = index === 0 ? undefined : index - 1;
    while (parent !== undefined && !contains(sorted[parent]!, block)) parent = parents[parent];
    parents.push(parent);
  }
  return (inner) => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]!.first <= inner.first) low = middle + 1;
      else high = middle;
    }
    const around: Block[] = [];
    for (let index = low === 0 ? undefined : low - 1; index !== undefined; index = parents[index])
      if (contains(sorted[index]!, inner)) around.push(sorted[index]!);
    return around;
  };
}

/** Orders ranges by address, each before those within it. */
export function compareRanges(left: AddressRange, right: AddressRange): number {
  return compare(left.first, right.first) || compare(right.last, left.last);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

export function contains(outer: AddressRange, inner: AddressRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}
