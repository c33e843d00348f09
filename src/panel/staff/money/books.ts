// The books of the ledger and the kinds of its entries, in words.
import type { Row } from '../../data/staff-pages.ts';
import { methodText } from '../../parts/method-text.ts';
import type { RevenueRow } from './revenue-data.ts';
import { t } from '../../text/text.ts';

export const kindLabels: Readonly<Record<Row<'ledgerList'>['kind'], string>> = {
  opening: t('Opening balance'),
  invoice: t('Invoice'),
  payment: t('Payment'),
  credit: t('Credit'),
  refund: t('Refund'),
  chargeback: t('Chargeback'),
  'write-off': t('Write-off'),
};

const bookLabels: Readonly<Record<string, string>> = {
  receivable: t('Receivable'),
  credit: t('Credit'),
  tax: t('Tax'),
  tax2: t('Second tax'),
  goodwill: t('Goodwill'),
  opening: t('Opening balance'),
  refunds: t('Refunds on their way'),
  'written-off': t('Written off'),
};

/** Of the lines of invoices. */
export const lineLabels: Readonly<Record<RevenueRow['type'], string>> = {
  Hosting: t('Hosting'),
  Setup: t('Setup'),
  License: t('Licences'),
  Bandwidth: t('Bandwidth'),
  Address: t('IP addresses'),
  Usage: t('Metered usage'),
  Discount: t('Discount'),
  LateFee: t('Late fee'),
  Credit: t('Credit'),
};

export function bookLabel(book: string): string {
  const [group, detail] = book.split(/:(.*)/, 2) as [string, string | undefined];
  if (group === 'revenue') return t('Revenue: {kind}', { kind: lineLabels[detail as RevenueRow['type']] });
  if (group === 'paid') return t('Paid: {method}', { method: methodText(detail ?? '') });
  return bookLabels[book] ?? book;
}
