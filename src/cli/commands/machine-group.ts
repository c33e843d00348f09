// hostyard machine group: groups of machines on different hypervisors.
import type { Client } from '#sdk/v2.ts';
import { apiCommand } from '../command.ts';
import { notFound } from '../lookup.ts';

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List groups of machines',
    async run({ client, print }) {
      const groups = await client.machineGroupList();
      const rows = groups.map((group) => ({ ...group, machines: group.machines.join(', ') }));
      await print.table(rows, ['id', 'name', 'machines', 'created']);
    },
  }),
  apiCommand({
    usage: 'create <name>',
    summary: 'Create a group whose machines run on different hypervisors',
    run: async ({ client, print }, { name }) => print.fields(await client.machineGroupCreate({ name })),
  }),
  apiCommand({
    usage: 'delete <name>',
    summary: 'Delete a group without machines',
    async run({ client, print }, { name }) {
      await print.text(`${await client.machineGroupDelete({ id: await findGroup(client, name) })}.`);
    },
  }),
];

/** Returns the id of a group by its name or id. */
export async function findGroup(client: Client, name: string): Promise<string> {
  const group = (await client.machineGroupList()).find((each) => each.name === name || each.id === name);
  if (group === undefined) throw notFound('Group', name);
  return group.id;
}
