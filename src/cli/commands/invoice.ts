// hostyard invoice: the account's invoices.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option } from 'commander';
import { apiCommand } from '../command.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { CommandError } from '../exit-codes.ts';
import { fieldsText, tableText } from '../output/table.ts';
import { stripControls } from '../output/text.ts';

const statuses = ['Paid', 'Unpaid', 'Overdue', 'Cancelled'] as const;

export const invoiceCommands = [
  apiCommand({
    usage: 'list',
    summary: 'List invoices',
    options: (command) =>
      command.addOption(new Option('--status <status>', 'Only invoices with this status').choices(statuses)),
    async run({ client, print }, _, { status }: { readonly status?: (typeof statuses)[number] }) {
      const invoices = await client.invoiceGet(omitUndefined({ status }));
      if ('invoiceid' in invoices) throw new CommandError('Unexpected response: one invoice instead of a list.');
      await print.table(invoices, [
        'id',
        ['number', (invoice) => invoice.invoicenum],
        'date',
        ['due', (invoice) => invoice.duedate],
        ['total', (invoice) => `${invoice.total} ${invoice.currencycode}`],
        'status',
      ]);
    },
  }),
  apiCommand({
    usage: 'show <invoice>',
    summary: 'Show an invoice with its lines',
    async run({ client, print }, args) {
      const invoice = await client.invoiceGet({ invoice: args.invoice });
      if (!('invoiceid' in invoice)) throw new CommandError('Unexpected response: a list instead of one invoice.');
      await print.value(invoice, () => {
        const { invoicenum, date, duedate, status, subtotal, tax, tax2, credit, total, balance } = invoice;
        const head = { number: invoicenum, date, due: duedate, status };
        const totals = { subtotal, tax, tax2, credit, total, balance };
        return [
          fieldsText(Object.entries(head), print.palette),
          tableText(invoice.items.item, ['type', 'description', 'amount'], print),
          fieldsText(Object.entries(totals), print.palette),
          ...(invoice.transactions === '' ? [] : [`${stripControls(invoice.transactions)}\n`]),
        ].join('\n');
      });
    },
  }),
  apiCommand({
    usage: 'pdf <invoice>',
    summary: 'Download an invoice as PDF',
    options: (command) => command.option('--file <file>', 'Where to save it; - for standard output'),
    async run({ client, print, shell }, { invoice }, options: { readonly file?: string }) {
      const { name, bytes } = await client.invoicePdf({ invoice });
      if (options.file === '-') return void shell.out.write(bytes);
      // The server chose the name: use only its last part, and never overwrite a file.
      const file = options.file ?? (basename(name) || `invoice-${invoice}.pdf`);
      await writeFile(file, bytes, options.file === undefined ? { flag: 'wx' } : {});
      await print.text(`Saved as ${file}.`);
    },
  }),
];
