// Invoices that are not fully paid, and the credit that counts against them.
import type { InvoiceListItem } from '#sdk/v2.ts';
import { subtractMoney } from '../../parts/money-text.ts';

export function isOpenInvoice({ status }: Pick<InvoiceListItem, 'status'>): boolean {
  return status === 'Unpaid' || status === 'Overdue';
}

/** Returns the credit by which the balance is less than what is open on the invoices. */
export function creditOf(invoices: readonly Pick<InvoiceListItem, 'status' | 'balance'>[], balance: string): string {
  const open = invoices.filter(isOpenInvoice).map((invoice) => invoice.balance);
  return subtractMoney('0.00', balance, ...open.map((amount) => subtractMoney('0.00', amount)));
}
