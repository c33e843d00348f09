// hostyard tax: the account's VAT number and tax data.
import { Option } from 'commander';
import type { TaxUpdateInput } from '#sdk/v2.ts';
import { deliveryWays, pdfForms } from '#contract/shapes/invoice-delivery.ts';
import { customerKinds, invoiceAttachments } from '#contract/shapes/tax.ts';
import { apiCommand } from '../command.ts';
import { CommandError } from '../exit-codes.ts';

export const commands = [
  apiCommand({
    usage: 'show',
    summary: 'Show the tax data, and the VAT of the next invoice',
    run: async ({ client, print }) => print.fields(await client.taxGet()),
  }),
  apiCommand({
    usage: 'update',
    summary: 'Update the tax data; an empty value clears the field',
    options: (command) =>
      command
        .addOption(new Option('--kind <kind>', 'Kind of customer').choices(customerKinds))
        .option('--vatnumber <number>', 'VAT number with the prefix of its country')
        .option('--reference <text>', 'Your reference on every invoice, such as a Leitweg-ID')
        .option('--endpoint <address>', 'Your electronic address for e-invoices, such as 0208:0428759497')
        .addOption(new Option('--attachment <format>', 'The e-invoice attached to emails').choices(invoiceAttachments))
        .addOption(new Option('--pdf <form>', 'Whether the PDF contains the e-invoice').choices(pdfForms))
        .addOption(new Option('--delivery <way>', 'How invoices reach you').choices(deliveryWays)),
    async run({ client, print }, _, options: TaxUpdateInput) {
      if (Object.keys(options).length === 0) throw new CommandError('Give at least one option.');
      await print.text(await client.taxUpdate(options));
    },
  }),
];
