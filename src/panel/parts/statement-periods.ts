// Periods of account statements, in days of UTC, as the books have them.
import { t } from '../text/text.ts';

export const periodNames = {
  'this-month': t('This month'),
  'last-month': t('Last month'),
  'this-year': t('This year'),
  'last-year': t('Last year'),
  custom: t('Other'),
} as const;
export type PeriodName = keyof typeof periodNames;

export interface Period {
  readonly from: string;
  readonly until: string;
}

/** `custom` begins as the current month. */
export function periodOf(name: PeriodName, now: Date): Period {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  if (name === 'this-year') return days(Date.UTC(year, 0), Date.UTC(year + 1, 0));
  if (name === 'last-year') return days(Date.UTC(year - 1, 0), Date.UTC(year, 0));
  const first = name === 'last-month' ? month - 1 : month;
  return days(Date.UTC(year, first), Date.UTC(year, first + 1));
}

/** `end` is the day after the last. */
function days(from: number, end: number): Period {
  const text = (time: number): string => new Date(time).toISOString().slice(0, 10);
  return { from: text(from), until: text(end - 86_400_000) };
}

const kinds: Readonly<Record<string, string>> = {
  opening: t('Imported'),
  invoice: t('Invoice'),
  payment: t('Payment'),
  credit: t('Credit'),
  refund: t('Refund'),
  chargeback: t('Chargeback'),
};

/** Returns the name of a kind of booking; a new one as it is. */
export function statementKind(kind: string): string {
  return kinds[kind] ?? kind;
}
