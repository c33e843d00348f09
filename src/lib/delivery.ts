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

export function contains(outer: AddressRange, inner: AddressRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}
