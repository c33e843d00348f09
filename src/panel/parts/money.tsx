// Amounts of money with their currency, and calendar days, which are the same in every time zone.
import type { JSX, ReactNode } from 'react';
import { useRead } from '../data/operations.ts';
import { rich } from '../text/rich.ts';
import { useDateFormats } from './dates.ts';
import { moneyText } from './money-text.ts';

export function Money({ amount }: { amount: string }): JSX.Element {
  const { data } = useRead('sessionGet', {});
  const { currency = '', currencyprefix = '' } = data ?? {};
  return (
    <span className="numbers" style={{ whiteSpace: 'nowrap' }}>
      {moneyText(amount, currencyprefix === '' && currency !== '' ? `${currency} ` : currencyprefix)}
    </span>
  );
}

/** Renders the price of what is billed by the hour, and at most as much as a month costs. */
export function HourlyPrice({ hourly, price }: { hourly: string; price: string }): ReactNode {
  const amounts = { hourly: <Money amount={hourly} />, amount: <Money amount={price} /> };
  return rich('{hourly} per hour, at most {amount} per month', amounts);
}

/** Renders an accounting date such as 2026-11-15. */
export function Day({ on }: { on: string }): JSX.Element {
  const { day } = useDateFormats();
  const date = new Date(`${on}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return <span>—</span>;
  return (
    <time dateTime={on} className="numbers" style={{ whiteSpace: 'nowrap' }}>
      {day(date)}
    </time>
  );
}
