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
  const family = pool.first[0]!;
  const text = (value: bigint): string => family + value.toString(16).padStart(bits / 4, '0');
  for (const [from, to] of gapsOf(pool, unavailable)) {
    const start = alignUp(from, size);
    if (start + size - 1n <= to) return { first: text(start), last: text(start + size - 1n) };
  }
  return undefined;
}

/** Returns how many addresses are free. */
export function countFree(pool: AddressRange, unavailable: readonly AddressRange[]): bigint {
  return gapsOf(pool, unavailable).reduce((sum, [from, to]) => sum + to - from + 1n, 0n);
}

/** Returns the first and last address of each free stretch, in order. */
function gapsOf(pool: AddressRange, unavailable: readonly AddressRange[]): (readonly [bigint, bigint])[] {
  const sorted = unavailable
    .map(({ first, last }) => [sortableNumber(first), sortableNumber(last)] as const)
    .toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
  const end = sortableNumber(pool.last);
  const gaps: (readonly [bigint, bigint])[] = [];
  let start = sortableNumber(pool.first);
  for (const [from, to] of sorted) {
    if (from > end) break;
    if (from > start) gaps.push([start, from - 1n]);
    if (to >= start) start = to + 1n;
  }
  if (start <= end) gaps.push([start, end]);
  return gaps;
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
