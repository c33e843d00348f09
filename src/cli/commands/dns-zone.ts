// hostyard dns zone: zones, their files and their history.
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { findZone } from '../lookup.ts';
import { differenceText } from '../output/difference.ts';
import { confirm } from '../prompt.ts';
import { readInput } from '../read-input.ts';

interface ImportOptions extends YesOption {
  readonly dryRun?: boolean;
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List zones',
    run: async ({ client, print }) => print.table(await client.zoneList(), [['id', (zone) => zone.domain_id], 'name']),
  }),
  apiCommand({
    usage: 'add <domain>',
    summary: 'Add a zone and print its id',
    run: async ({ client, print }, { domain }) => print.text(await client.zoneCreate({ domain })),
  }),
  apiCommand({
    usage: 'claim <domain>',
    summary: 'Claim a domain whose zone another account has, and print the TXT record that proves control',
    run: async ({ client, print }, { domain }) => print.fields(await client.zoneClaim({ domain })),
  }),
  apiCommand({
    usage: 'verify <domain>',
    summary: 'Verify a claim, add the zone and print its id',
    run: async ({ client, print }, { domain }) => print.text(await client.zoneClaimVerify({ domain })),
  }),
  apiCommand({
    usage: 'delegation <zone>',
    summary: "Check whether the parent zone delegates a zone to the provider's name servers",
    async run({ client, print }, { zone }) {
      const { domain_id: domain } = await findZone(client, zone);
      await print.fields(await client.zoneDelegationGet({ domain }));
    },
  }),
  apiCommand({
    usage: 'withdrawn',
    summary: 'List zones that were withdrawn from the account',
    run: async ({ client, print }) =>
      print.table(await client.zoneWithdrawnList(), [['id', (zone) => zone.domain_id], 'name', 'reason', 'timestamp']),
  }),
  apiCommand({
    usage: 'delete <zone>',
    summary: 'Delete a zone and its records',
    options: withYes,
    async run({ client, print, shell }, args, options: YesOption) {
      const { domain_id: domain, name } = await findZone(client, args.zone);
      await confirm(shell, `Delete the zone ${name} and all its records?`, options);
      await print.text(await client.zoneDelete({ domain }));
    },
  }),
  apiCommand({
    usage: 'export <zone>',
    summary: 'Print a zone as a BIND file, or by id one that was withdrawn',
    async run({ client, print }, { zone }) {
      const domain = /^[0-9]+$/.test(zone) ? zone : (await findZone(client, zone)).domain_id;
      const file = await client.zoneFileGet({ domain });
      await print.value(file, () => file);
    },
  }),
  apiCommand({
    usage: 'import <zone> <file>',
    summary: 'Replace the records with those of a BIND zone file',
    options: (command) => withYes(command).option('--dry-run', 'Only show the changes'),
    // The serial makes the import fail if the zone has changed since the preview.
    async run({ client, print, shell }, args, options: ImportOptions) {
      const zonefile = await readInput(shell, args.file);
      const { domain_id: domain, name } = await findZone(client, args.zone);
      const preview = await client.zoneFileImport({ domain, zonefile, dry_run: true });
      if (options.dryRun === true) return print.value(preview, () => differenceText(preview));
      const removed = preview.removed.length;
      if (removed > 0) {
        shell.err.write(differenceText(preview));
        await confirm(shell, `Delete ${removed} ${removed === 1 ? 'record' : 'records'} of ${name}?`, options);
      }
      const difference = await client.zoneFileImport({ domain, zonefile, serial: Number(preview.serial) });
      await print.value(difference, () => differenceText(difference));
    },
  }),
  apiCommand({
    usage: 'history <zone>',
    summary: 'List the versions of a zone, newest first',
    async run({ client, print }, { zone }) {
      const { domain_id: domain } = await findZone(client, zone);
      await print.table(await client.zoneHistoryGet({ domain }), [
        'version',
        'serial',
        'timestamp',
        'operation',
        ['author', ({ author }) => author.name || author.kind],
        ['added', (version) => String(version.added.length)],
        ['removed', (version) => String(version.removed.length)],
      ]);
    },
  }),
  apiCommand({
    usage: 'rollback <zone> <version>',
    summary: 'Restore the records of an earlier version',
    options: withYes,
    async run({ client, print, shell }, { zone, version }, options: YesOption) {
      const { domain_id: domain, name } = await findZone(client, zone);
      await confirm(shell, `Roll ${name} back to version ${version}?`, options);
      const difference = await client.zoneRollBack({ domain, version });
      await print.value(difference, () => differenceText(difference));
    },
  }),
];
