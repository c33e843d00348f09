// hostyard payment: payment methods, payments and top-ups.
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { resolveInvoiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import type { Printer } from '../output/printer.ts';

interface MethodOption extends YesOption {
  readonly method?: string;
}

/** Prints the next page, or how to follow a charge. */
async function printStarted(print: Printer, started: { readonly charge: string; readonly url: string }): Promise<void> {
  const next = started.url === '' ? 'Run hostyard payment charges to see its result.' : `Pay here: ${started.url}`;
  await print.value(started, () => `Payment ${started.charge} started. ${next}\n`);
}

export const commands = [
  apiCommand({
    usage: 'show',
    summary: 'Show the ways to pay',
    run: async ({ client, print }) => print.fields(await client.paymentGet()),
  }),
  apiCommand({
    usage: 'methods',
    summary: 'List payment methods',
    run: async ({ client, print }) =>
      print.table(await client.paymentMethodList(), ['id', 'kind', 'label', 'state', 'default', 'created']),
  }),
  apiCommand({
    usage: 'add',
    summary: 'Add a payment method, on a page of the payment provider',
    async run({ client, print }) {
      const page = await client.paymentMethodAdd();
      await print.value(page, () => `Open this page to save the payment method: ${page.url}\n`);
    },
  }),
  apiCommand({
    usage: 'default <id>',
    summary: 'Choose the method that invoices are collected from',
    run: async ({ client, print }, { id }) => print.text(await client.paymentMethodDefault({ id })),
  }),
  apiCommand({
    usage: 'remove <id>',
    summary: 'Remove a payment method',
    options: withYes,
    async run({ client, print, shell }, { id }, options: YesOption) {
      await confirm(shell, `Remove payment method ${id}?`, options);
      await print.text(await client.paymentMethodRemove({ id }));
    },
  }),
  apiCommand({
    usage: 'invoice <invoice>',
    summary: 'Pay an invoice, with a payment method or on a page',
    options: (command) => withYes(command.option('--method <id>', 'Payment method to charge')),
    async run({ client, print, shell }, args, { method, ...options }: MethodOption) {
      const invoice = await resolveInvoiceId(client, args.invoice);
      if (method !== undefined) await confirm(shell, `Charge payment method ${method}?`, options);
      await printStarted(print, await client.invoicePay({ invoice, method }));
    },
  }),
  apiCommand({
    usage: 'top-up <amount>',
    summary: 'Pay in advance, with a payment method or on a page',
    options: (command) => withYes(command.option('--method <id>', 'Payment method to charge')),
    async run({ client, print, shell }, { amount }, { method, ...options }: MethodOption) {
      if (method !== undefined) await confirm(shell, `Charge payment method ${method} ${amount}?`, options);
      await printStarted(print, await client.topUp({ amount, method }));
    },
  }),
  apiCommand({
    usage: 'charges',
    summary: 'List the latest charges',
    run: async ({ client, print }) =>
      print.table(await client.chargeList(), [
        'id',
        'created',
        ['for', ({ purpose, invoicenum }) => (purpose === 'invoice' ? invoicenum : purpose)],
        ['amount', ({ amount, currency }) => `${amount} ${currency}`],
        'method',
        'state',
        'failure',
      ]),
  }),
];
