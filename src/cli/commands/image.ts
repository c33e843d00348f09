// hostyard image: images that the account makes from its virtual machines.
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { notFound, resolveServiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { followAction } from '../wait.ts';
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
    async run(session, args, { wait, snapshot }: WaitOption & { readonly snapshot?: string }) {
      const { client, print } = session;
      const service = await resolveServiceId(client, args.service);
      const source = snapshot === undefined ? {} : { snapshot: (await findSnapshot(client, service, snapshot)).id };
      const image = await client.machineImageCreate({ service, name: args.name, ...source });
      await print.fields(image);
      if (wait === true) await followAction(session, image.action);
    },
  }),
  apiCommand({
    usage: 'delete <image>',
    summary: 'Delete an image',
    options: withYes,
    async run({ client, print, shell }, { image: name }, options: YesOption) {
      const images = await client.machineImageList();
      const image = images.find(({ id }) => id === name) ?? images.find((candidate) => candidate.name === name);
      if (image === undefined) throw notFound('Image', name);
      await confirm(shell, `Delete the image "${image.name}"?`, options);
      await print.text(`${await client.machineImageDelete({ id: image.id })}.`);
    },
  }),
];
