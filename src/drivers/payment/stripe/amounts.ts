// Stripe counts amounts in the smallest unit of the currency, of which some have none or three decimals.
// https://docs.stripe.com/currencies#zero-decimal

const withoutDecimals = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF UGX VND VUV XAF XOF XPF'.split(' '));
const withThreeDecimals = new Set('BHD JOD KWD OMR TND'.split(' '));

/** Throws if the currency has no such amount, such as half a yen. */
export function toStripeAmount(cents: number, currency: string): number {
  if (withThreeDecimals.has(currency)) return cents * 10;
  if (!withoutDecimals.has(currency)) return cents;
  if (cents % 100 !== 0) throw new RangeError(`${currency} has no amounts below one`);
  return cents / 100;
}

/** `currency` may be in lower case, as Stripe writes it. */
export function fromStripeAmount(amount: number, currency: string): number {
  const code = currency.toUpperCase();
  if (withThreeDecimals.has(code)) return Math.round(amount / 10);
  return withoutDecimals.has(code) ? amount * 100 : amount;
}
