// hostyard machine: ordering, deleting and restoring virtual machines.
import type { Methods } from '#sdk/v2.ts';
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findDevice, resolveServiceId } from '../lookup.ts';
import { tableText } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { printAndFollow } from '../wait.ts';
import { confirmOrder, withOrderOptions, type OrderOptions } from './machine-order.ts';
import { sizeCommands } from './machine-size.ts';

type OwnMachine = Awaited<ReturnType<Methods['machineList']>>[number];

export const commands = [
  ...sizeCommands,
  apiCommand({
    usage: 'options',
    summary: 'List the plans, systems and locations for ordering a machine',
    async run({ client, print }) {
      const options = await client.machineOptions();
      const plans = options.plans.map((plan) => ({ ...plan, locations: locationsText(plan.locations) }));
      await print.value(options, () =>
        [
          tableText(plans, ['name', 'price', 'hourly', 'currency', 'vcpus', 'memorymb', 'diskgb', 'locations'], print),
          tableText(options.systems, ['value', 'name', 'type', 'location'], print),
          `You can order ${options.left} more.\n`,
        ].join('\n'),
      );
    },
  }),
  apiCommand({
    usage: 'list',
    summary: 'List virtual machines, including deleted ones that can be restored',
    async run({ client, print }) {
      const machines: OwnMachine[] = [];
      for await (const machine of client.each.machineList()) machines.push(machine);
      const hasGroups = machines.some(({ group }) => group !== '');
      const groups = hasGroups ? await client.machineGroupList() : [];
      await print.table(machines, [
        'service',
        'hostname',
        'status',
        'ip',
        'location',
        ['group', ({ group }) => groups.find(({ id }) => id === group)?.name ?? group],
        'protection',
        'restorableto',
      ]);
    },
  }),
  apiCommand({
    usage: 'create <hostname> <plan> <system>',
    summary: 'Order a virtual machine; billing starts now',
    options: withOrderOptions,
    async run(session, { hostname, plan, system }, options: OrderOptions) {
      const choices = await confirmOrder(session, hostname, plan, options);
      const machine = await session.client.machineCreate({ hostname, plan, system, ...choices });
      await printAndFollow(session, machine, options);
    },
  }),
  apiCommand({
    usage: 'delete <service>',
    summary: 'Delete a virtual machine; it can be restored for 72 hours',
    options: (command) => withWait(withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { client, shell } = session;
      const { service, hostname } = await findDevice(client, args.service);
      await confirm(shell, `Delete ${hostname} (service ${service})?`, options);
      await printAndFollow(session, await client.machineDelete({ service, hostname }), options);
    },
  }),
  apiCommand({
    usage: 'restore <service>',
    summary: 'Restore a deleted virtual machine',
    async run({ client, print }, { service }) {
      await print.text(`${await client.machineRestore({ service: await resolveServiceId(client, service) })}.`);
    },
  }),
  apiCommand({
    usage: 'protect <service>',
    summary: 'Protect a virtual machine against deletion, or end the protection with --off',
    options: (command) => command.option('--off', 'Allow its deletion again'),
    async run({ client, print }, { service }, { off }: { readonly off?: boolean }) {
      const input = { service: await resolveServiceId(client, service) };
      const protection = off === true ? 'disabled' : 'enabled';
      await print.text(`${await client.machineProtectionSet({ ...input, protection })}.`);
    },
  }),
];

/** A location without a name has an empty text. */
function locationsText(locations: readonly string[]): string {
  return locations.length === 0 ? '(no room)' : locations.filter((name) => name !== '').join(', ') || '(any)';
}
