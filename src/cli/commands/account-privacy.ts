// hostyard account export and erasure: an archive of everything about the account, and its erasure.
import { apiCommand } from '../command.ts';
import type { Entry } from '../command-tree.ts';
import { saveDownload, withFile, type FileOption } from '../download.ts';
import { promptSecret } from '../prompt.ts';

const exportCommands = [
  apiCommand({
    usage: 'create',
    summary: 'Request an archive of everything about the account',
    async run({ client, print, shell }) {
      const { id } = await client.accountExportCreate({ password: await promptSecret(shell, 'Password: ') });
      await print.text(`Archive ${id} requested. You will get an email when it is ready.`);
    },
  }),
  apiCommand({
    usage: 'list',
    summary: 'List archives of the account, newest first',
    run: async ({ client, print }) =>
      print.table(await client.accountExportList(), ['id', 'status', 'size', 'created', 'expires']),
  }),
  apiCommand({
    usage: 'download <id>',
    summary: 'Download an archive',
    options: (command) => withFile(command),
    async run(session, { id }, options: FileOption) {
      await saveDownload(session, await session.client.accountExportFile({ id }), options);
    },
  }),
];

const erasureCommands = [
  apiCommand({
    usage: 'show',
    summary: 'Show the erasure request, and what is blocking it',
    run: async ({ client, print }) => {
      const { erasure, obstacles, ...rest } = await client.erasureGet();
      await print.fields({ ...erasure, ...rest, obstacles: obstacles.join(' ') });
    },
  }),
  apiCommand({
    usage: 'request',
    summary: 'Request the erasure of the account',
    async run({ client, print, shell }) {
      await client.erasureRequest({ password: await promptSecret(shell, 'Password: ') });
      await print.text('Erasure requested. You can cancel it during the waiting time.');
    },
  }),
  apiCommand({
    usage: 'cancel',
    summary: 'Cancel the erasure of the account',
    async run({ client, print }) {
      await client.erasureCancel();
      await print.text('Erasure cancelled.');
    },
  }),
];

export const privacyCommands: readonly Entry[] = [
  { usage: 'export', summary: 'Archives of everything about the account', commands: async () => exportCommands },
  { usage: 'erasure', summary: 'Erasure of the account', commands: async () => erasureCommands },
];
