// Formats the difference of two amounts, in whole cents throughout.
import { moneyText } from '../../parts/money-text.ts';

export function changeText(previous: string, current: string): string {
  const change = cents(current) - cents(previous);
  if (change === 0n) return '—';
  const digits = String(change < 0n ? -change : change).padStart(3, '0');
  const text = moneyText(`${digits.slice(0, -2)}.${digits.slice(-2)}`, '');
  return `${change < 0n ? '−' : '+'}${text}`;
}

function cents(amount: string): bigint {
  const [whole = '0', part = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0').slice(0, 2));
  return amount.startsWith('-') ? -value : value;
}
