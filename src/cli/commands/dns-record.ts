// hostyard dns record: the records of a zone.
import type { RecordCreateInput, ZoneRecord } from '#sdk/v2.ts';
import { apiCommand, collectList, withYes, type YesOption } from '../command.ts';
import { findRecords, findZone } from '../lookup.ts';
import { differenceText } from '../output/difference.ts';
import { confirm } from '../prompt.ts';

interface SetOptions extends YesOption {
  readonly content?: string;
  readonly ttl?: string;
}

export const commands = [
  apiCommand({
    usage: 'list <zone>',
    summary: 'List the records of a zone',
    options: (command) =>
      command
        .option('--type <type>', 'Only records of this type')
        .option('--name <name>', 'Only records with this name'),
    async run({ client, print }, args, options: { readonly type?: string; readonly name?: string }) {
      const zone = await findZone(client, args.zone);
      const type = options.type?.toUpperCase();
      const name = options.name === undefined ? undefined : recordName(options.name, zone.name);
      const records = (await client.recordList({ domain: zone.domain_id })).filter(
        (record) => (type === undefined || record.type === type) && (name === undefined || record.name === name),
      );
      await print.table(records, ['id', 'name', 'type', 'ttl', 'content']);
    },
  }),
  apiCommand({
    usage: 'search <text>',
    summary: 'Search the records of all zones by the beginning of the name',
    options: (command) => command.option('--content', 'Search by the beginning of the content instead'),
    async run({ client, print }, { text }, options: { readonly content?: boolean }) {
      const field = options.content === true ? 'content' : 'name';
      const records: ZoneRecord[] = [];
      for await (const record of client.each.recordSearch({ text, field })) records.push(record);
      await print.table(records, ['id', 'name', 'type', 'ttl', 'content']);
    },
  }),
  apiCommand({
    usage: 'add <zone> <name> <type> <content>',
    summary: 'Add a record; the name @ stands for the zone itself',
    options: (command) =>
      command.option(
        '--ttl <seconds>',
        'Time to live (default: that of the other records of this name and type, or 3600)',
      ),
    async run({ client, print }, args, { ttl }: { readonly ttl?: string }) {
      const zone = await findZone(client, args.zone);
      const input = {
        domain: zone.domain_id,
        record: recordName(args.name, zone.name),
        type: args.type.toUpperCase() as RecordCreateInput['type'],
        content: args.content,
      };
      await print.text(await client.recordCreate({ ...input, ...ttlInput(ttl) }));
    },
  }),
  apiCommand({
    usage: 'set <zone> <id>',
    summary: 'Update a record',
    options: (command) =>
      withYes(command).option('--content <text>', 'New content').option('--ttl <seconds>', 'New time to live'),
    async run({ client, print, shell }, { zone, id }, { content, ttl, ...options }: SetOptions) {
      const { domain, records } = await findRecords(client, zone, [id]);
      await confirm(shell, `Update ${recordText(records[0]!)}?`, options);
      await print.text(await client.recordUpdate({ domain, record: id, content, ...ttlInput(ttl) }));
    },
  }),
  apiCommand({
    usage: 'delete <zone> <ids>',
    summary: 'Delete a record, or several separated by commas',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const ids = collectList(args.ids);
      const { domain, records } = await findRecords(client, args.zone, ids);
      await confirm(shell, `Delete ${records.map(recordText).join(', ')}?`, options);
      if (ids.length === 1) return print.text(await client.recordDelete({ domain, record: ids[0]! }));
      const difference = await client.recordDeleteMany({ domain, records: ids });
      await print.value(difference, () => differenceText(difference));
    },
  }),
];

function ttlInput(ttl: string | undefined): { ttl?: number } {
  return ttl === undefined ? {} : { ttl: Number(ttl) };
}

function recordText({ name, type, content }: { name: string; type: string; content: string }): string {
  return `${name} ${type} ${content}`;
}

/** Returns the full name of a record that may be given relative to its zone. With a dot at the end it is not. */
function recordName(name: string, zone: string): string {
  const bare = name.replace(/\.$/, '').toLowerCase();
  if (bare === '@' || bare === zone) return zone;
  return bare !== name.toLowerCase() || bare.endsWith(`.${zone}`) ? bare : `${bare}.${zone}`;
}
