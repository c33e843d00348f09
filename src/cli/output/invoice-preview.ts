// An invoice that is not issued yet: its lines, and the totals below them.
import type { Methods } from '#sdk/v2.ts';
import type { Printer } from './printer.ts';
import { fieldsText, tableText } from './table.ts';

type InvoicePreview = Awaited<ReturnType<Methods['invoicePreview']>>;

export async function printInvoicePreview(print: Printer, preview: InvoicePreview): Promise<void> {
  const { date, currency, lines, subtotal, tax, credit, total } = preview;
  await print.value(preview, () =>
    [
      tableText(lines, ['description', 'amount'], print),
      fieldsText(Object.entries({ date, subtotal, tax, credit, total: `${total} ${currency}` }), print.palette),
    ].join('\n'),
  );
}
