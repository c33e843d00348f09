// Amounts of money, which stay text, because an amount must never pass through a float.
import { textLanguage } from '../text/text.ts';

/** Returns the first amount less the others. */
export function subtractMoney(from: string, ...amounts: readonly string[]): string {
  const cents = amounts.reduce((rest, amount) => rest - centsOf(amount), centsOf(from));
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function centsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** Returns an amount that a person typed as the API takes it. People may type a decimal comma. */
export function amountInput(text: string): string {
  return text.trim().replace(',', '.');
}

/** `-4.00` with `€` becomes `−€4.00`, in German `−4,00 €`; thousands are separated. */
export function moneyText(amount: string, prefix: string): string {
  const isGerman = textLanguage() === 'de';
  const isNegative = amount.startsWith('-');
  const [whole = '0', cents = '00'] = (isNegative ? amount.slice(1) : amount).split('.');
  const grouped = [...whole].map((digit, index) =>
    (whole.length - index) % 3 === 0 && index > 0 ? `${isGerman ? '.' : ','}${digit}` : digit,
  );
  const sign = isNegative ? '−' : '';
  return isGerman
    ? `${sign}${grouped.join('')},${cents} ${prefix.trim()}`.trimEnd()
    : `${sign}${prefix}${grouped.join('')}.${cents}`;
}
