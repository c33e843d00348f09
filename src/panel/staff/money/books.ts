// The books of the ledger and the kinds of its entries, in words.
import type { Row } from '../../data/staff-pages.ts';
import { lineLabels } from '../../parts/line-labels.ts';
import { methodText } from '../../parts/method-text.ts';
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
  refunds: t('Pending refunds'),
  'written-off': t('Written off'),
};

export function bookLabel(book: string): string {
  const [group, detail] = book.split(/:(.*)/, 2) as [string, string | undefined];
  if (group === 'revenue') return t('Revenue: {kind}', { kind: lineLabels[detail as keyof typeof lineLabels] });
  if (group === 'paid') return t('Paid: {method}', { method: methodText(detail ?? '') });
  return bookLabels[book] ?? book;
}
