// hostyard network: addresses, switch ports, attacks and null routes.
import { Option } from 'commander';
import type { AnomalyEvent, Client, NetblockDelivery, NetblockRequestInput } from '#sdk/v2.ts';
import { apiCommand, parseCount, serviceTextCommand, withYes, type YesOption } from '../command.ts';
import { CommandError } from '../exit-codes.ts';
import { findDevice, findLegacyServer, resolveServiceId } from '../lookup.ts';
import { addressText } from '../output/addresses.ts';
import { timeText } from '../output/amounts.ts';
import { tableText, type Column } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import type { Entry } from '../command-tree.ts';

const attackColumns: readonly Column<AnomalyEvent>[] = [
  ['id', (event) => event.anomaly_id],
  ['address', (event) => event.target_ip],
  ['start', (event) => timeText(event.start)],
  ['end', (event) => (event.active === '1' ? 'active' : timeText(event.end))],
  ['null-routed', (event) => (event.nullroute_start === null ? '' : timeText(event.nullroute_start))],
  ['rules', (event) => [...new Set(event.detail.result.map((attack) => attack.filters))].join(' ')],
];

const configurationTools = ['netplan', 'ifupdown', 'networkmanager', 'networkd', 'windows'];
const deliveryColumns: readonly Column<NetblockDelivery>[] = [
  'netblock',
  'delivery',
  'status',
  ['address', ({ address, prefix }) => `${address}/${prefix}`],
  'gateway',
  ['routed to', ({ nexthop }) => nexthop],
];

/** A command about a block of this size. */
function netblockCommand(
  verb: string,
  summary: string,
  call: (client: Client, input: NetblockRequestInput) => Promise<object>,
): Entry {
  return apiCommand({
    usage: `${verb} <service> <size>`,
    summary,
    options: (command) =>
      command.addOption(new Option('--family <family>', 'Address family').choices(['ipv4', 'ipv6']).default('ipv4')),
    async run({ client, print }, args, { family }: { readonly family: 'ipv4' | 'ipv6' }) {
      const service = await resolveServiceId(client, args.service);
      const size = `/${args.size.replace('/', '')}` as NetblockRequestInput['size'];
      await print.fields(await call(client, { service, type: family, size }));
    },
  });
}

const portCommands = [
  serviceTextCommand('status <service>', 'Show whether the port is up', (client, input) => client.portGet(input)),
  serviceTextCommand('enable <service>', 'Enable the port', (client, input) => client.portEnable(input)),
  apiCommand({
    usage: 'disable <service>',
    summary: 'Disable the port, which takes the server off the network',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const { service, hostname } = await findDevice(client, args.service);
      await confirm(shell, `Take ${hostname} (service ${service}) off the network?`, options);
      await print.text(await client.portDisable({ service }));
    },
  }),
];

const nullrouteCommands = [
  apiCommand({
    usage: 'list <service>',
    summary: 'List current and past null routes',
    async run({ client, legacy, print }, { service }) {
      const { alias } = await findLegacyServer(client, service);
      const routes = await (await legacy()).nullrouteSet({ server: alias });
      if (typeof routes === 'string') throw new CommandError(routes);
      await print.table(routes, [
        ['address', (route) => route.ip],
        ['start', (route) => timeText(route.start)],
        ['end', (route) => (route.end === '0' ? '' : timeText(route.end))],
        ['status', (route) => (route.active === '1' ? 'active' : 'ended')],
        'reason',
      ]);
    },
  }),
  apiCommand({
    usage: 'add <service> <ip>',
    summary: 'Null-route an address',
    options: withYes,
    async run({ client, legacy, print, shell }, { service, ip }, options: YesOption) {
      const { server, alias } = await findLegacyServer(client, service);
      await confirm(shell, `Null-route ${ip} of ${server}? It becomes unreachable.`, options);
      await print.text(String(await (await legacy()).nullrouteSet({ server: alias, ip, action: 'add' })));
    },
  }),
  apiCommand({
    usage: 'remove <service> <ip>',
    summary: 'Remove a null route',
    async run({ client, legacy, print }, { service, ip }) {
      const { alias } = await findLegacyServer(client, service);
      await print.text(String(await (await legacy()).nullrouteSet({ server: alias, ip, action: 'remove' })));
    },
  }),
];

export const commands: readonly Entry[] = [
  apiCommand({
    usage: 'addresses <service>',
    summary: 'List the addresses of a service',
    async run({ client, print }, { service }) {
      const names = await client.netblockList({ service: await resolveServiceId(client, service) });
      await print.value(names, () => addressText(names, print));
    },
  }),
  apiCommand({
    usage: 'delivery <service>',
    summary: 'Show how addresses are delivered, or lines that configure them',
    options: (command) =>
      command
        .addOption(new Option('--config <tool>', 'Print configuration lines').choices(configurationTools))
        .option('--interface <name>', 'Network interface in these lines', 'eth0'),
    async run(
      { client, print },
      args,
      options: { readonly config?: keyof NetblockDelivery['configuration']; readonly interface: string },
    ) {
      const service = await resolveServiceId(client, args.service);
      const blocks = await client.deliveryList({ service, interface: options.interface });
      if (options.config === undefined) return print.table(blocks, deliveryColumns);
      const { config } = options;
      await print.value(blocks, () => blocks.map(({ configuration }) => configuration[config]).join('\n'));
    },
  }),
  netblockCommand('request', 'Request a netblock, such as /29, or a single address, /32', (client, input) =>
    client.netblockRequest(input),
  ),
  netblockCommand('price', 'Show the monthly price of additional addresses', (client, input) =>
    client.netblockPrice(input),
  ),
  apiCommand({
    usage: 'requests <service>',
    summary: 'List requests for addresses, newest first',
    async run({ client, print }, args) {
      const service = await resolveServiceId(client, args.service);
      const requests = await client.netblockRequestList({ service });
      await print.table(requests, [
        ['id', ({ requestid }) => requestid],
        'type',
        'size',
        'status',
        'netblock',
        'created',
        'reason',
      ]);
    },
  }),
  apiCommand({
    usage: 'attacks [service]',
    summary: 'List traffic anomalies, newest first',
    options: (command) => command.option('--limit <number>', 'Maximum number of anomalies', parseCount, 100),
    async run({ client, print }, { service }, { limit }: { readonly limit: number }) {
      const events =
        service === undefined
          ? await client.anomalyList({ limit })
          : await client.eventList({ service: await resolveServiceId(client, service), limit });
      const newestFirst = Object.values(events).sort((a, b) => Number(b.anomaly_id) - Number(a.anomaly_id));
      await print.value(events, () => tableText(newestFirst, attackColumns, print));
    },
  }),
  { usage: 'port', summary: 'The switch port of a server', commands: async () => portCommands },
  { usage: 'nullroute', summary: 'Null routes of a dedicated server', commands: async () => nullrouteCommands },
];
