// hostyard invoice show: one invoice with its lines.
import { fieldsText, tableText } from '../../output/table.ts';
import { harmless } from '../../output/text.ts';
import { onCall } from '../../command.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) =>
  onCall(command, shell, async ({ client, show }, _options, id: string) => {
    const invoice = await client.invoiceGet({ invoice: id });
    if (!('invoiceid' in invoice)) throw new CommandError('The answer is a list, not one invoice.');
    await show.drawn(invoice, () => {
      const { invoicenum, date, duedate, status, subtotal, tax, tax2, credit, total, balance } = invoice;
      const lines = tableText(invoice.items.item, ['type', 'description', 'amount'], show);
      const head = { number: invoicenum, date, due: duedate, status };
      return `${fieldsText(Object.entries(head), show.palette)}\n${lines}\n${fieldsText(
        Object.entries({ subtotal, tax, tax2, credit, total, balance }),
        show.palette,
      )}${invoice.transactions === '' ? '' : `\n${harmless(invoice.transactions)}\n`}`;
    });
  });
