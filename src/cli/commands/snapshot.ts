// hostyard snapshot: snapshots of virtual machines.
import type { Client, Methods } from '#sdk/v2.ts';
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findByIdOrName, findDevice, resolveServiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { printAndFollow } from '../wait.ts';

type Snapshot = Awaited<ReturnType<Methods['machineSnapshotList']>>[number];

export const commands = [
  apiCommand({
    usage: 'list <service>',
    summary: 'List the snapshots of a machine',
    async run({ client, print }, { service }) {
      const snapshots = await client.machineSnapshotList({ service: await resolveServiceId(client, service) });
      await print.table(snapshots, ['id', 'name', 'state', 'size', 'consistent', 'created', 'reason']);
    },
  }),
  apiCommand({
    usage: 'create <service> <name>',
    summary: 'Take a snapshot of a machine, which keeps running',
    options: withWait,
    async run(session, { service: given, name }, options: WaitOption) {
      const service = await resolveServiceId(session.client, given);
      await printAndFollow(session, await session.client.machineSnapshotCreate({ service, name }), options);
    },
  }),
  apiCommand({
    usage: 'restore <service> <snapshot>',
    summary: 'Restore a machine from a snapshot; the current content of its disk is lost',
    options: (command) => withWait(withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { client, shell } = session;
      const { service, hostname } = await findDevice(client, args.service);
      const { id, name, created } = await findSnapshot(client, service, args.snapshot);
      const question = `Restore ${hostname} (service ${service}) from "${name}" of ${created}? All changes since then will be lost.`;
      await confirm(shell, question, options);
      await printAndFollow(session, await client.machineSnapshotRestore({ service, id }), options);
    },
  }),
  apiCommand({
    usage: 'delete <service> <snapshot>',
    summary: 'Delete a snapshot',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const { service, hostname } = await findDevice(client, args.service);
      const { id, name } = await findSnapshot(client, service, args.snapshot);
      await confirm(shell, `Delete the snapshot "${name}" of ${hostname}?`, options);
      await print.text(`${await client.machineSnapshotDelete({ service, id })}.`);
    },
  }),
];

export async function findSnapshot(client: Client, service: string, name: string): Promise<Snapshot> {
  return findByIdOrName(await client.machineSnapshotList({ service }), 'Snapshot', name);
}
