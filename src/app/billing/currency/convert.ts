// Conversion between currencies, by the value of a euro in each. Exact until the end, and rounded once.

/** Millionths of the currency for one euro. */
export type RateMicros = number;
export const euroMicros: RateMicros = 1_000_000;

/** Rounds half away from zero. */
export function convertCents(cents: number, from: RateMicros, to: RateMicros): number {
  const [numerator, denominator] = [BigInt(Math.abs(cents)) * BigInt(to), BigInt(from)];
  const rounded = Number((numerator * 2n + denominator) / (denominator * 2n));
  return cents < 0 && rounded !== 0 ? -rounded : rounded;
}

/** Returns how many units of `from` one unit of `to` is worth, with six decimals, for people. */
export function rateText(from: RateMicros, to: RateMicros): string {
  const scaled = (BigInt(from) * 2_000_000n + BigInt(to)) / (2n * BigInt(to));
  const digits = String(scaled).padStart(7, '0');
  const decimals = digits.slice(-6);
  const length = Math.max(2, decimals.search(/0{0,6}$/));
  return `${digits.slice(0, -6)}.${decimals.slice(0, length)}`;
}
