// Says which credit is part of the balance, so that the open invoices add up to it.
import type { JSX } from 'react';
import type { InvoiceListItem } from '#sdk/v2.ts';
import { Dimmed } from '../../parts/dimmed.tsx';
import { Money } from '../../parts/money.tsx';
import { rich } from '../../text/rich.ts';
import { creditOf } from './open-invoices.ts';

export interface CreditLineProps {
  readonly invoices: readonly InvoiceListItem[];
  readonly balance: string;
}

export function CreditLine({ invoices, balance }: CreditLineProps): JSX.Element | null {
  const credit = creditOf(invoices, balance);
  // A negative balance is the credit itself.
  if (balance.startsWith('-') || credit.startsWith('-') || credit === '0.00') return null;
  return (
    <Dimmed size="xs" fw={400}>
      {rich('Open invoices less {credit} credit', { credit: <Money amount={credit} /> })}
    </Dimmed>
  );
}
