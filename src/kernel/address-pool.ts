// Finding a free block in a pool: the first aligned block of the wanted size that touches nothing taken.
import type { AddressRange } from './address-ranges.ts';

/** Ranges are sortable texts (address-ranges.ts). `taken` may be in any order and overlap. */
export function firstFree(
  pool: AddressRange,
  bits: number,
  prefixLength: number,
  taken: readonly AddressRange[],
): AddressRange | undefined {
  const size = 1n << BigInt(bits - prefixLength);
  const busy = taken
    .map(({ first, last }) => [number(first), number(last)] as const)
    .toSorted((a, b) => (a[0] < b[0] ? -1 : 1));
  const end = number(pool.last);
  let start = aligned(number(pool.first), size);
  for (const [from, to] of busy) {
    if (to < start) continue;
    if (from > start + size - 1n) break;
    start = aligned(to + 1n, size);
  }
  if (start + size - 1n > end) return undefined;
  const family = pool.first[0]!;
  const text = (value: bigint): string => family + value.toString(16).padStart(bits / 4, '0');
  return { first: text(start), last: text(start + size - 1n) };
}

/** The largest block that is still free, as a prefix length; undefined where nothing is. */
export function largestFree(
  pool: AddressRange,
  bits: number,
  lengths: readonly number[],
  taken: readonly AddressRange[],
): number | undefined {
  return lengths.toSorted((a, b) => a - b).find((length) => firstFree(pool, bits, length, taken) !== undefined);
}

function aligned(value: bigint, size: bigint): bigint {
  return ((value + size - 1n) / size) * size;
}

function number(text: string): bigint {
  return BigInt(`0x${text.slice(1)}`);
}
