// Amounts of reports: with their currency in tables, and without cents in charts.
import { locale } from '../../text/text.ts';
import { moneyText } from '../../parts/money-text.ts';

export function amountText(amount: string, currency: string): string {
  return `${moneyText(amount, '')} ${currency}`;
}

/** For the axis of a chart. The figures that count are texts. */
export function axisText(amount: number): string {
  return new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }).format(amount);
}

/** Days as YYYY-MM-DD, in UTC, as the reports count them. */
export function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Returns the first day of the month that is this many months before today's. */
export function monthStart(today: Date, monthsAgo: number): string {
  return dayText(new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsAgo, 1)));
}

/** Returns `2026-09` as a person reads it. */
export function monthText(month: string): string {
  const format = new Intl.DateTimeFormat(locale(), { year: 'numeric', month: 'short', timeZone: 'UTC' });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
