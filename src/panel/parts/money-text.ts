// Formats an amount of money. It stays text, because an amount must never pass through a float.

/** `-4.00` with `€` becomes `−€4.00`; thousands are separated. */
export function moneyText(amount: string, prefix: string): string {
  const isNegative = amount.startsWith('-');
  const [whole = '0', cents = '00'] = (isNegative ? amount.slice(1) : amount).split('.');
  const grouped = [...whole].map((digit, index) =>
    (whole.length - index) % 3 === 0 && index > 0 ? `,${digit}` : digit,
  );
  return `${isNegative ? '−' : ''}${prefix}${grouped.join('')}.${cents}`;
}
