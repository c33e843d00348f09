// hostyard machine sizes and resize: the size of a virtual machine.
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findDevice, resolveServiceId } from '../lookup.ts';
import { fieldsText, tableText } from '../output/table.ts';
import { confirm } from '../prompt.ts';
import { printAndFollow } from '../wait.ts';

export const sizeCommands = [
  apiCommand({
    usage: 'sizes <service>',
    summary: 'Show the size of a machine, and the sizes that it can change to',
    async run({ client, print }, { service }) {
      const result = await client.machineSizeGet({ service: await resolveServiceId(client, service) });
      const { sizes, ...fields } = result;
      const columns = ['plan', 'price', 'hourly', 'difference', 'vcpus', 'memorymb', 'diskgb', 'reason'] as const;
      await print.value(result, () =>
        [fieldsText(Object.entries(fields), print.palette), tableText(sizes, columns, print)].join('\n'),
      );
    },
  }),
  apiCommand({
    usage: 'resize <service> <plan>',
    summary: 'Change the size of a machine, and its price with it',
    options: (command) => withWait(withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { client, shell } = session;
      const { service, hostname } = await findDevice(client, args.service);
      const { downtime, seconds, sizes } = await client.machineSizeGet({ service });
      const size = sizes.find(({ plan }) => plan === args.plan);
      const price = size === undefined ? '' : `, ${size.difference} a month`;
      const restart = downtime === 'restart' ? ` If it is on, it restarts, which takes about ${seconds} seconds.` : '';
      await confirm(shell, `Resize ${hostname} (service ${service}) to ${args.plan}${price}?${restart}`, options);
      await printAndFollow(session, await client.machineSizeSet({ service, plan: args.plan }), options);
    },
  }),
];
