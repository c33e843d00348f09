// hostyard invoice list.
import { Option } from 'commander';
import { onCall } from '../../command.ts';
import { CommandError } from '../../exit-codes.ts';
import type { Define } from '../../table.ts';

const statuses = ['Paid', 'Unpaid', 'Overdue', 'Cancelled'] as const;

export const define: Define = (command, shell) => {
  command.addOption(new Option('--status <status>', 'only of this status').choices(statuses));
  onCall(command, shell, async ({ client, show }, options: { status?: (typeof statuses)[number] }) => {
    const invoices = await client.invoiceGet(options.status === undefined ? {} : { status: options.status });
    if ('invoiceid' in invoices) throw new CommandError('The answer is one invoice, not the list.');
    await show.rows(invoices, [
      'id',
      ['number', (invoice) => invoice.invoicenum],
      'date',
      ['due', (invoice) => invoice.duedate],
      ['total', (invoice) => `${invoice.total} ${invoice.currencycode}`],
      'status',
    ]);
  });
};
