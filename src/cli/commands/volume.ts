// hostyard volume: volumes of virtual machines.
import type { Client, Volume } from '#sdk/v2.ts';
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findByIdOrName, resolveServiceId, serviceFilter } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { printAndFollow } from '../wait.ts';

const columns = ['id', 'name', 'size', 'state', 'service', 'attached', 'path', 'created'] as const;

export const commands = [
  apiCommand({
    usage: 'list [service]',
    summary: 'List volumes, of all machines or of one',
    async run({ client, print }, { service }) {
      await print.table(await client.volumeList(await serviceFilter(client, service)), columns);
    },
  }),
  apiCommand({
    usage: 'create <service> <name> <size>',
    summary: 'Create a volume of this size in GB and attach it to a machine',
    options: withWait,
    async run(session, { service: machine, name, size }, options: WaitOption) {
      const service = await resolveServiceId(session.client, machine);
      await printAndFollow(session, await session.client.volumeCreate({ service, name, size: Number(size) }), options);
    },
  }),
  apiCommand({
    usage: 'resize <volume> <size>',
    summary: 'Grow a volume to this size in GB',
    options: withWait,
    async run(session, { volume, size }, options: WaitOption) {
      const { id } = await findVolume(session.client, volume);
      await printAndFollow(session, await session.client.volumeResize({ id, size: Number(size) }), options);
    },
  }),
  apiCommand({
    usage: 'attach <volume> <service>',
    summary: 'Attach a volume to a machine on the same hypervisor',
    options: withWait,
    async run(session, { volume, service: machine }, options: WaitOption) {
      const { id } = await findVolume(session.client, volume);
      const service = await resolveServiceId(session.client, machine);
      await printAndFollow(session, await session.client.volumeAttach({ id, service }), options);
    },
  }),
  apiCommand({
    usage: 'detach <volume>',
    summary: 'Detach a volume from its machine; unmount it there first',
    options: withWait,
    async run(session, { volume }, options: WaitOption) {
      const { id } = await findVolume(session.client, volume);
      await printAndFollow(session, await session.client.volumeDetach({ id }), options);
    },
  }),
  apiCommand({
    usage: 'delete <volume>',
    summary: 'Delete a detached volume with its content',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const { id, name, size } = await findVolume(client, args.volume);
      await confirm(
        shell,
        `Delete the volume "${name}" (${size} GB) with its content? This cannot be undone.`,
        options,
      );
      await print.text(`${await client.volumeDelete({ id, name })}.`);
    },
  }),
];

async function findVolume(client: Client, name: string): Promise<Volume> {
  return findByIdOrName(await client.volumeList(), 'Volume', name);
}
