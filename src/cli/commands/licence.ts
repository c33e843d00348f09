// hostyard licence: software licences of a service.
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { findDevice, resolveServiceId } from '../lookup.ts';
import { tableText } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { licenceType } from '#contract/licence-name.ts';

const product = ['product', ({ label }: { readonly label: string }) => label] as const;

export const commands = [
  apiCommand({
    usage: 'list <service>',
    summary: 'List the licences of a service and those it can order',
    async run({ client, print }, args) {
      const service = await resolveServiceId(client, args.service);
      const [installed, available] = await Promise.all([
        client.deviceLicenceList({ service }),
        client.deviceLicenceOfferList({ service }),
      ]);
      await print.value({ installed, available }, () => {
        const licences = tableText(installed, ['license', product, 'status', 'since', 'until', 'price', 'key'], print);
        return `${licences}\nAvailable:\n${tableText(available, ['license', product, 'price'], print)}`;
      });
    },
  }),
  apiCommand({
    usage: 'order <service> <licence>',
    summary: 'Order a licence',
    options: withYes,
    async run({ client, legacy, print, shell }, { service: name, licence }, options: YesOption) {
      const device = await findDevice(client, name);
      const { service, hostname } = device;
      await confirm(
        shell,
        `Order ${licence} for ${hostname} (service ${service})? You are invoiced immediately.`,
        options,
      );
      const api = await legacy();
      await print.fields(await api.softwareOrder({ service, type: licenceType(device), license: licence }));
    },
  }),
  apiCommand({
    usage: 'cancel <service> <licence>',
    summary: 'Cancel a licence at the end of its period',
    options: withYes,
    async run({ client, legacy, print, shell }, { service: name, licence }, options: YesOption) {
      const device = await findDevice(client, name);
      const { service, hostname } = device;
      await confirm(shell, `Cancel ${licence} of ${hostname} (service ${service})?`, options);
      const api = await legacy();
      await print.text(await api.softwareCancel({ service, type: licenceType(device), license: licence }));
    },
  }),
];
