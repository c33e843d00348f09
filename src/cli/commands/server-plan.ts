// hostyard server plan: the plan of a service, changes of it, and cancellation.
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { findDevice, resolveServiceId } from '../lookup.ts';
import { printInvoicePreview } from '../output/invoice-preview.ts';
import { fieldsText, tableText } from '../output/table.ts';
import { confirm } from '../prompt.ts';

export const commands = [
  apiCommand({
    usage: 'show <service>',
    summary: 'Show the plan of a service, its terms, and the plans that it can change to',
    async run({ client, print }, { service }) {
      const plan = await client.devicePlanGet({ service: await resolveServiceId(client, service) });
      const { changes, ...fields } = plan;
      await print.value(plan, () =>
        [
          fieldsText(Object.entries(fields), print.palette),
          ...(changes.length === 0
            ? []
            : [tableText(changes, ['name', 'price', 'hourly', 'months', 'minimum'], print)]),
        ].join('\n'),
      );
    },
  }),
  apiCommand({
    usage: 'preview <service> <plan>',
    summary: "Show the service's share of the next invoice if its plan changed now",
    async run({ client, print }, { service, plan }) {
      const input = { service: await resolveServiceId(client, service), plan };
      await printInvoicePreview(print, await client.devicePlanPreview(input));
    },
  }),
  apiCommand({
    usage: 'change <service> <plan>',
    summary: 'Change the plan of a service now',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const { service, hostname } = await findDevice(client, args.service);
      await confirm(shell, `Change the plan of ${hostname} (service ${service}) to ${args.plan}?`, options);
      await print.text(await client.devicePlanSet({ service, plan: args.plan }));
    },
  }),
  apiCommand({
    usage: 'cancel <service>',
    summary: 'Cancel a service at the end of its period and minimum term',
    options: (command) => withYes(command.option('--reason <text>', 'Reason for cancelling, for the provider')),
    async run({ client, print, shell }, args, options: YesOption & { readonly reason?: string }) {
      const { service, hostname } = await findDevice(client, args.service);
      const { earliestend } = await client.devicePlanGet({ service });
      await confirm(shell, `Cancel ${hostname} (service ${service}), with ${earliestend} as its last day?`, options);
      await print.fields(await client.deviceCancel({ service, reason: options.reason }));
    },
  }),
  apiCommand({
    usage: 'keep <service>',
    summary: 'Withdraw the cancellation of a service',
    async run({ client, print }, { service }) {
      await print.text(await client.deviceCancelWithdraw({ service: await resolveServiceId(client, service) }));
    },
  }),
];
