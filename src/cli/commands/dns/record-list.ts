// hostyard dns record list.
import { onCall } from '../../command.ts';
import { zoneNamed } from '../../named.ts';
import type { Define } from '../../table.ts';

interface Options {
  readonly type?: string;
  readonly name?: string;
}

export const define: Define = (command, shell) => {
  command.option('--type <type>', 'only of this type').option('--name <name>', 'only of this name');
  onCall(command, shell, async ({ client, show }, options: Options, zone: string) => {
    const { domain_id: domain } = await zoneNamed(client, zone);
    const type = options.type?.toUpperCase();
    const records = (await client.recordList({ domain })).filter(
      (record) =>
        (type === undefined || record.type === type) && (options.name === undefined || record.name === options.name),
    );
    await show.rows(records, ['id', 'name', 'type', 'ttl', 'content']);
  });
};
