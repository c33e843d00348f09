// Formats an amount of money. It stays text, because an amount must never pass through a float.

/** Returns the first amount less the others. */
export function subtractMoney(from: string, ...amounts: readonly string[]): string {
  const cents = amounts.reduce((rest, amount) => rest - centsOf(amount), centsOf(from));
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function centsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** `-4.00` with `€` becomes `−€4.00`; thousands are separated. */
export function moneyText(amount: string, prefix: string): string {
  const isNegative = amount.startsWith('-');
  const [whole = '0', cents = '00'] = (isNegative ? amount.slice(1) : amount).split('.');
  const grouped = [...whole].map((digit, index) =>
    (whole.length - index) % 3 === 0 && index > 0 ? `,${digit}` : digit,
  );
  return `${isNegative ? '−' : ''}${prefix}${grouped.join('')}.${cents}`;
}
