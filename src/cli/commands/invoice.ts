// hostyard invoice: the account's invoices.
import { Option } from 'commander';
import { invoiceFormats, type InvoiceFormat } from '#contract/shapes/tax.ts';
import { apiCommand } from '../command.ts';
import { saveDownload, withFile, type FileOption } from '../download.ts';
import { CommandError } from '../exit-codes.ts';
import { resolveInvoiceId } from '../lookup.ts';
import { printInvoicePreview } from '../output/invoice-preview.ts';
import { fieldsText, tableText } from '../output/table.ts';
import { stripControls } from '../output/text.ts';

const statuses = ['Paid', 'Unpaid', 'Overdue', 'Cancelled'] as const;

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List invoices',
    options: (command) =>
      command.addOption(new Option('--status <status>', 'Only invoices with this status').choices(statuses)),
    async run({ client, print }, _, { status }: { readonly status?: (typeof statuses)[number] }) {
      const invoices = await client.invoiceGet({ status });
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
    usage: 'next',
    summary: 'Preview the next invoice',
    run: async ({ client, print }) => printInvoicePreview(print, await client.invoicePreview()),
  }),
  apiCommand({
    usage: 'show <invoice>',
    summary: 'Show an invoice with its lines',
    async run({ client, print }, args) {
      const invoice = await client.invoiceGet({ invoice: await resolveInvoiceId(client, args.invoice) });
      if (!('invoiceid' in invoice)) throw new CommandError('Unexpected response: a list instead of one invoice.');
      await print.value(invoice, () => {
        const { invoicenum, date, duedate, status, subtotal, tax, tax2, credit, total, balance } = invoice;
        const head = { number: invoicenum, date, due: duedate, status };
        const totals = { subtotal, tax, tax2, credit, total, balance };
        return [
          fieldsText(Object.entries(head), print.palette),
          tableText(invoice.items.item, ['type', 'description', 'amount'], print),
          fieldsText(Object.entries(totals), print.palette),
          ...(invoice.transactions === ''
            ? []
            : [`${print.palette.heading('payments')}\n${stripControls(invoice.transactions)}\n`]),
        ].join('\n');
      });
    },
  }),
  apiCommand({
    usage: 'pdf <invoice>',
    summary: 'Download an invoice as PDF',
    options: withFile,
    async run(session, args, options: FileOption) {
      const invoice = await resolveInvoiceId(session.client, args.invoice);
      await saveDownload(session, await session.client.invoicePdf({ invoice }), options);
    },
  }),
  apiCommand({
    usage: 'deliveries [invoice]',
    summary: 'List e-invoices that were sent through the network',
    async run({ client, print }, args) {
      const invoice = args.invoice === undefined ? {} : { invoice: await resolveInvoiceId(client, args.invoice) };
      await print.table(await client.invoiceDeliveryList(invoice), [
        ['number', (delivery) => delivery.invoicenum],
        'state',
        'receiver',
        'queued',
        'reason',
      ]);
    },
  }),
  apiCommand({
    usage: 'xml <invoice>',
    summary: 'Download an invoice as e-invoice (EN 16931)',
    options: (command) =>
      withFile(
        command.addOption(
          new Option('--format <format>', 'Syntax and profile').choices(invoiceFormats).default('peppol'),
        ),
      ),
    async run(session, args, { format, ...options }: FileOption & { readonly format: InvoiceFormat }) {
      const invoice = await resolveInvoiceId(session.client, args.invoice);
      await saveDownload(session, await session.client.invoiceXml({ invoice, format }), options);
    },
  }),
];
