// hostyard server tun: tunnel devices of virtual machines.
import { apiCommand } from '../command.ts';
import { resolveServiceId } from '../lookup.ts';
import type { Entry } from '../command-tree.ts';

export const commands = [
  apiCommand({
    usage: 'status <service>',
    summary: 'Query whether tunnel devices are enabled, and when a change takes effect',
    run: async ({ client, print }, { service }) =>
      print.fields(await client.deviceTunGet({ service: await resolveServiceId(client, service) })),
  }),
  tunCommand('enable', 'Enable tunnel devices'),
  tunCommand('disable', 'Disable tunnel devices'),
];

function tunCommand(action: 'enable' | 'disable', summary: string): Entry {
  return apiCommand({
    usage: `${action} <service>`,
    summary,
    run: async ({ client, print }, { service }) =>
      print.fields(await client.deviceTunSet({ service: await resolveServiceId(client, service), action })),
  });
}
