// hostyard image: images that the account makes from its virtual machines.
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findByIdOrName, resolveServiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { printAndFollow } from '../wait.ts';
import { findSnapshot } from './snapshot.ts';

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List the images of the account',
    run: async ({ client, print }) =>
      print.table(await client.machineImageList(), [
        'id',
        'name',
        'system',
        'state',
        'size',
        'type',
        'node',
        'diskgb',
        'created',
      ]),
  }),
  apiCommand({
    usage: 'create <service> <name>',
    summary: 'Make an image from a machine, for reinstalls and new machines on its hypervisor',
    options: (command) =>
      withWait(command.option('--snapshot <name>', 'From this snapshot (default: from the current disk)')),
    async run(session, args, { snapshot, ...options }: WaitOption & { readonly snapshot?: string }) {
      const { client } = session;
      const service = await resolveServiceId(client, args.service);
      const source = snapshot === undefined ? {} : { snapshot: (await findSnapshot(client, service, snapshot)).id };
      await printAndFollow(session, await client.machineImageCreate({ service, name: args.name, ...source }), options);
    },
  }),
  apiCommand({
    usage: 'delete <image>',
    summary: 'Delete an image',
    options: withYes,
    async run({ client, print, shell }, { image: name }, options: YesOption) {
      const image = findByIdOrName(await client.machineImageList(), 'Image', name);
      await confirm(shell, `Delete the image "${image.name}"?`, options);
      await print.text(`${await client.machineImageDelete({ id: image.id })}.`);
    },
  }),
];
