// Finds the first free, aligned block of a given size in a pool.
import { sortableNumber, type AddressRange } from '#lib/address-ranges.ts';

/** Ranges are sortable texts (see address-ranges.ts). `unavailable` may be unordered and overlap. */
export function firstFree(
  pool: AddressRange,
  bits: number,
  prefixLength: number,
  unavailable: readonly AddressRange[],
): AddressRange | undefined {
  const size = 1n << BigInt(bits - prefixLength);
  const sorted = unavailable
    .map(({ first, last }) => [sortableNumber(first), sortableNumber(last)] as const)
    .toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
  const end = sortableNumber(pool.last);
  let start = alignUp(sortableNumber(pool.first), size);
  for (const [from, to] of sorted) {
    if (to < start) continue;
    if (from > start + size - 1n) break;
    start = alignUp(to + 1n, size);
  }
  if (start + size - 1n > end) return undefined;
  const family = pool.first[0]!;
  const text = (value: bigint): string => family + value.toString(16).padStart(bits / 4, '0');
  return { first: text(start), last: text(start + size - 1n) };
}

/** Returns the prefix length of the largest free block, or undefined if nothing is free. */
export function largestFree(
  pool: AddressRange,
  bits: number,
  lengths: readonly number[],
  unavailable: readonly AddressRange[],
): number | undefined {
  return lengths.toSorted((a, b) => a - b).find((length) => firstFree(pool, bits, length, unavailable) !== undefined);
}

function alignUp(value: bigint, size: bigint): bigint {
  return ((value + size - 1n) / size) * size;
}
