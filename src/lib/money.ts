// Money is stored as integer cents and written as a decimal with two places; no floating-point fractions in between.

export function moneyText(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.abs(cents);
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')}`;
}

/** Returns the cents of a decimal with at most two places, or undefined if the text is not one. */
export function moneyCents(text: string): number | undefined {
  const match = /^(-?)([0-9]{1,13})(?:\.([0-9]{1,2}))?$/.exec(text);
  if (match === null) return undefined;
  const cents = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'));
  return match[1] === '-' && cents !== 0 ? -cents : cents;
}

/** Returns the share of an amount, for a rate in hundredths of a percent (2000 is 20%), rounded half away from zero. */
export function moneyShare(cents: number, basisPoints: number): number {
  const product = BigInt(Math.abs(cents)) * BigInt(basisPoints);
  const rounded = Number((product + 5_000n) / 10_000n);
  return cents < 0 ? 0 - rounded : rounded;
}

/**
 * Prorates a price for `days` days: returns the part from `fromDay` until `untilDay`, both counted from the start. It is the price up
 * to the second minus the price up to the first, so the parts add up to the price to the cent, however the days are divided.
 */
export function moneyPart(cents: number, fromDay: number, untilDay: number, days: number): number {
  return upTo(cents, untilDay, days) - upTo(cents, fromDay, days);
}

function upTo(cents: number, day: number, days: number): number {
  const rounded = Number((BigInt(Math.abs(cents)) * BigInt(day) * 2n + BigInt(days)) / (2n * BigInt(days)));
  return cents < 0 ? 0 - rounded : rounded;
}
