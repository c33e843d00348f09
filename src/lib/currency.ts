// Currencies. Amounts are stored in hundredths, so only currencies with two decimals can be used.

export const euro = 'EUR';

/** Returns false for currencies such as JPY, which has no decimals, and KWD, which has three. */
export function hasTwoDecimals(code: string): boolean {
  return (
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits === 2
  );
}
