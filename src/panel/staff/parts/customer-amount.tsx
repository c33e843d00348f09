// An amount in the currency of a customer's account.
import type { JSX } from 'react';
import { useCustomer } from '../../data/customer-names.ts';
import { amountText } from '../money/amounts.ts';

export function CustomerAmount({ account, amount }: { account: string; amount: string }): JSX.Element {
  const { data, isLoading } = useCustomer(account);
  return (
    <span className="numbers" style={{ whiteSpace: 'nowrap' }} aria-busy={isLoading}>
      {amountText(amount, data?.currency ?? '')}
    </span>
  );
}
