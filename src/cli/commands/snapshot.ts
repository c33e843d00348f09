// hostyard snapshot: snapshots of virtual machines.
import type { Client, Methods } from '#sdk/v2.ts';
import { apiCommand, withWait, withYes, type WaitOption, type YesOption } from '../command.ts';
import { findDevice, notFound, resolveServiceId } from '../lookup.ts';
import { confirm } from '../prompt.ts';
import { followAction } from '../wait.ts';

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
    async run(session, { service, name }, { wait }: WaitOption) {
      const { client, print } = session;
      const snapshot = await client.machineSnapshotCreate({ service: await resolveServiceId(client, service), name });
      await print.fields(snapshot);
      if (wait === true) await followAction(session, snapshot.action);
    },
  }),
  apiCommand({
    usage: 'restore <service> <snapshot>',
    summary: 'Restore a machine from a snapshot; the current content of its disk is lost',
    options: (command) => withWait(withYes(command)),
    async run(session, args, options: WaitOption & YesOption) {
      const { client, print, shell } = session;
      const { service, hostname } = await findDevice(client, args.service);
      const { id, name, created } = await findSnapshot(client, service, args.snapshot);
      const question = `Restore ${hostname} (service ${service}) from "${name}" of ${created}? All changes since then will be lost.`;
      await confirm(shell, question, options);
      const restored = await client.machineSnapshotRestore({ service, id });
      await print.fields(restored);
      if (options.wait === true) await followAction(session, restored.action);
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

/** Finds a snapshot by its id or name. */
export async function findSnapshot(client: Client, service: string, name: string): Promise<Snapshot> {
  const snapshots = await client.machineSnapshotList({ service });
  const snapshot = snapshots.find(({ id }) => id === name) ?? snapshots.find((candidate) => candidate.name === name);
  if (snapshot === undefined) throw notFound('Snapshot', name);
  return snapshot;
}
