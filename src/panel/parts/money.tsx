// Money and days as the interface writes them, for people: the currency beside the sum, a day that is the same in every zone.
import type { JSX } from 'react';
import { useRead } from '../data/read.ts';
import { moneyText } from './money-text.ts';

export function Money({ amount }: { amount: string }): JSX.Element {
  const { data } = useRead('sessionGet', {});
  return (
    <span className="numbers" style={{ whiteSpace: 'nowrap' }}>
      {moneyText(amount, data?.currencyprefix ?? '')}
    </span>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A day of the books, such as 2026-11-15. */
export function Day({ on }: { on: string }): JSX.Element {
  const date = new Date(`${on}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return <span>—</span>;
  return (
    <time dateTime={on} className="numbers" style={{ whiteSpace: 'nowrap' }}>
      {dayFormat.format(date)}
    </time>
  );
}
