// hostyard server, vps and cloud: devices of any type. The three nouns share their commands; only servers have all of them.
import { Option } from 'commander';
import type { UsageSample } from '#sdk/v2.ts';
import { apiCommand, collectList, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { findDevice, resolveServiceId, serviceFilter } from '../lookup.ts';
import { bytesText, rateText, timeText } from '../output/amounts.ts';
import { portColumns, portRows } from '../output/ports.ts';
import { fieldsText, tableText } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { parseTime } from '../time.ts';
import { commandGroup, type Entry } from '../command-tree.ts';
import { runAndWait } from '../wait.ts';

const serviceTypes = ['dedicated', 'vps', 'cloud'] as const;
type ServiceType = (typeof serviceTypes)[number];
const bootSources = ['pxe', 'cdrom', 'bios'] as const;

const sharedCommands: readonly Entry[] = [
  apiCommand({
    usage: 'show <service>',
    summary: 'Show a service',
    run: async ({ client, print }, { service }) => print.fields(await findDevice(client, service)),
  }),
  apiCommand({
    usage: 'facts <service>',
    summary: 'Show the installed system, location and age of a service',
    run: async ({ client, print }, { service }) =>
      print.fields(await client.deviceFactsGet({ service: await resolveServiceId(client, service) })),
  }),
  apiCommand({
    usage: 'price <service>',
    summary: 'Show the price of a service and its share of the next invoice',
    async run({ client, print }, { service }) {
      const price = await client.devicePriceGet({ service: await resolveServiceId(client, service) });
      const { plan, months, next } = price;
      const fields = Object.entries({
        plan,
        price: price.price,
        months,
        'next invoice': next.date,
        amount: next.amount,
      });
      await print.value(price, () => fieldsText(fields, print.palette));
    },
  }),
  apiCommand({
    usage: 'label <service>',
    summary: 'Add or remove labels of a service, and print the result',
    options: (command) =>
      command
        .option('--add <labels>', 'Labels to add, separated by commas', collectList)
        .option('--remove <labels>', 'Labels to remove, separated by commas', collectList),
    async run({ client, print }, args, { add, remove }: { readonly add?: string[]; readonly remove?: string[] }) {
      const service = await resolveServiceId(client, args.service);
      await print.text((await client.deviceLabelSet({ service, add, remove })).join('\n'));
    },
  }),
  apiCommand({
    usage: 'state [service]',
    summary: 'Show the last known power state and health of a service, or of all services',
    async run({ client, print }, { service }) {
      const states = await client.deviceStateList(await serviceFilter(client, service));
      await print.table(states, ['service', 'power', 'seen', 'health', 'reason']);
    },
  }),
  commandGroup('plan', 'Plan of a service: change and cancel it', () => import('./server-plan.ts')),
  commandGroup('power', 'Power on, off and reboot', () => import('./server-power.ts')),
  apiCommand({
    usage: 'boot <source> <service>',
    summary: 'Set the source of the next boot: pxe, cdrom or bios',
    async run({ client, print }, { source, service }) {
      const request = bootSources.find((name) => name === source);
      if (request === undefined)
        throw new CommandError(`Unknown boot source ${source}: use ${bootSources.join(', ')}.`, exitCodes.usage);
      await print.text(await client.deviceBootSet({ service: await resolveServiceId(client, service), request }));
    },
  }),
  apiCommand({
    usage: 'hardware <service>',
    summary: 'Show the hardware and network ports',
    async run({ client, print }, { service }) {
      const hardware = await client.deviceHardwareGet({ service: await resolveServiceId(client, service) });
      const parts = Object.entries(hardware.parts).flatMap(([kind, names]) =>
        names.map((name) => [kind, name] as const),
      );
      const ports = Object.entries(hardware.ports).flatMap(([device, numbers]) =>
        Object.entries(numbers).map(([port, state]) => {
          const speed = rateText(Number(state.ifSpeed));
          return [`port ${device} ${port}`, `${state.ifAdminStatus} / ${state.ifOperStatus}, ${speed}`] as const;
        }),
      );
      await print.value(hardware, () => fieldsText([...parts, ...ports], print.palette));
    },
  }),
  apiCommand({
    usage: 'sensors <service>',
    summary: 'Show the sensors and event log of a dedicated server',
    async run({ client, print }, { service }) {
      const report = await client.deviceSensorsGet({ service: await resolveServiceId(client, service) });
      const readings = report.sensors.map(
        ({ name, value, unit, health, detail }) =>
          [name, [value, value === '' ? '' : unit, health, detail].filter((text) => text !== '').join(' ')] as const,
      );
      const entries = report.log.map(({ time, seen, text }) => [time === '' ? `${seen} (read)` : time, text] as const);
      const state = [['sensors', `${report.state}${report.read === '' ? '' : `, read ${report.read}`}`] as const];
      await print.value(report, () => fieldsText([...state, ...readings, ...entries], print.palette));
    },
  }),
  apiCommand({
    usage: 'stats <service>',
    summary: 'Show resource usage of a virtual machine, or traffic of a server',
    async run({ client, print }, { service }) {
      const stats = await client.deviceStatsGet({ service: await resolveServiceId(client, service) });
      if ('node' in stats) return print.fields(stats);
      await print.value(stats, () => tableText(portRows(stats.result), portColumns, print));
    },
  }),
  apiCommand({
    usage: 'usage <service>',
    summary: "List a virtual machine's resource usage, in five-minute samples",
    options: (command) =>
      command
        .option('--start <time>', 'Start, such as 2026-11-01 (default: 24 hours ago)')
        .option('--stop <time>', 'Stop (default: now)'),
    async run({ client, print }, args, { start, stop }: { readonly start?: string; readonly stop?: string }) {
      const service = await resolveServiceId(client, args.service);
      const span = {
        start: start === undefined ? undefined : parseTime(start),
        stop: stop === undefined ? undefined : parseTime(stop),
      };
      await print.table(await client.deviceUsageList({ service, ...span }), usageColumns);
    },
  }),
  apiCommand({
    usage: 'hostname <service> <hostname>',
    summary: 'Set the hostname',
    async run({ client, print }, { service, hostname }) {
      await client.deviceHostnameSet({ service: await resolveServiceId(client, service), hostname });
      await print.text(`Hostname set to ${hostname}.`);
    },
  }),
  apiCommand({
    usage: 'password <service>',
    summary: 'Reset the root password',
    options: (command) => withWait(withYes(command)),
    // A virtual machine has its password at once. A dedicated server sets it from the rescue system, so it is ready later.
    async run(session, args, options: WaitOption & YesOption) {
      const { client, print, shell } = session;
      const { service, hostname, type } = await findDevice(client, args.service);
      const restarts = type === 'dedicated' ? ' The server restarts twice.' : '';
      await confirm(shell, `Reset the root password of ${hostname} (service ${service})?${restarts}`, options);
      await runAndWait(session, options, 'devicePasswordReset', { service }, async (password) => {
        if (password !== '') await print.text(password);
        else if (options.wait !== true)
          shell.err.write(`In progress. Show the password later with: hostyard server password-show ${service}\n`);
      });
      if (type === 'dedicated' && options.wait === true)
        await print.text(await client.devicePasswordCollect({ service }));
    },
  }),
  commandGroup('tun', 'Tunnel devices of a virtual machine (TUN/TAP)', () => import('./server-tun.ts')),
  commandGroup('iso', 'ISO images', () => import('./server-iso.ts')),
];

export const commands: readonly Entry[] = [
  apiCommand({
    usage: 'list',
    summary: 'List services',
    options: (command) =>
      command
        .addOption(new Option('--type <type>', 'Only services of this type').choices(serviceTypes))
        .option('--label <label>', 'Only services with this label'),
    async run({ client, print }, _, { type, label }: { readonly type?: ServiceType; readonly label?: string }) {
      await print.table(await client.deviceList({ type, label }), deviceColumns);
    },
  }),
  ...sharedCommands,
  apiCommand({
    usage: 'password-show <service>',
    formerly: 'password-collect',
    summary: 'Show the new root password once',
    run: async ({ client, print }, { service }) =>
      print.text(await client.devicePasswordCollect({ service: await resolveServiceId(client, service) })),
  }),
  {
    usage: 'reload',
    summary: 'Reinstall the operating system',
    commands: async () => (await import('./server-install.ts')).serverReloadCommands,
  },
  {
    usage: 'rescue',
    summary: 'The rescue system',
    commands: async () => (await import('./server-install.ts')).rescueCommands,
  },
  commandGroup('bmc', 'The management controller (IPMI)', () => import('./server-bmc.ts')),
];

/** The commands of `vps` and `cloud`. */
export function machineCommands(type: 'vps' | 'cloud'): readonly Entry[] {
  return [
    apiCommand({
      usage: 'list',
      summary: 'List services',
      run: async ({ client, print }) => print.table(await client.deviceList({ type }), deviceColumns),
    }),
    ...sharedCommands,
    {
      usage: 'reload',
      summary: 'Reinstall the operating system',
      commands: async () => (await import('./server-install.ts')).reloadCommands,
    },
  ];
}

const amount = (bytes: string): string => (bytes === '' ? '' : bytesText(Number(bytes)));
const usageColumns = [
  ['time', ({ start }: UsageSample) => timeText(start)],
  ['cpu %', ({ cpu }: UsageSample) => cpu],
  ['memory', ({ memory }: UsageSample) => amount(memory)],
  ['disk', ({ disk }: UsageSample) => amount(disk)],
  ['read', ({ diskread }: UsageSample) => amount(diskread)],
  ['written', ({ diskwritten }: UsageSample) => amount(diskwritten)],
] as const;
const deviceColumns = ['service', 'type', 'name', 'hostname', 'status', 'ip'] as const;
