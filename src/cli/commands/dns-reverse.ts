// hostyard dns reverse: reverse DNS (PTR) records of the customer's addresses.
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { serviceFilter } from '../lookup.ts';
import { addressText } from '../output/addresses.ts';
import { confirm } from '../prompt.ts';
import { readInput } from '../read-input.ts';

export const commands = [
  apiCommand({
    usage: 'list [service]',
    summary: 'List reverse DNS names of a service, or of all services',
    async run({ client, print }, { service }) {
      const names = await client.reverseList(await serviceFilter(client, service));
      await print.value(names, () => addressText(names, print));
    },
  }),
  apiCommand({
    usage: 'set <ip> <name>',
    summary: 'Set the reverse DNS name of an address',
    options: (command) => command.option('--forward', 'Also create the A or AAAA record of that name'),
    async run({ client, print }, { ip, name }, { forward }: { readonly forward?: true }) {
      await print.text(await client.reverseSet({ ip, record: name, ...(forward === true ? { forward } : {}) }));
    },
  }),
  apiCommand({
    usage: 'import <file>',
    summary: 'Set all names in a file, with an address and a name per line, or none',
    async run({ client, print, shell }, { file }) {
      const lines = (await readInput(shell, file)).split('\n');
      const records = lines.flatMap((line, index) => {
        const [ip, record, ...extra] = line.replace(/#.*/, '').trim().split(/\s+/);
        if (ip === '' || ip === undefined) return [];
        if (record === undefined || extra.length > 0)
          throw new CommandError(`${file}:${index + 1}: expected an address and a name`, exitCodes.usage);
        return [{ ip, record }];
      });
      const names = await client.reverseSetMany({ records });
      await print.value(names, () => addressText(names, print));
    },
  }),
  apiCommand({
    usage: 'delete <ip>',
    summary: 'Delete the reverse DNS name of an address',
    options: withYes,
    async run({ client, print, shell }, { ip }, options: YesOption) {
      await confirm(shell, `Delete the reverse DNS name of ${ip}?`, options);
      await print.text(await client.reverseDelete({ ip }));
    },
  }),
];
