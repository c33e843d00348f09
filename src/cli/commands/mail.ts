// hostyard mail: messages sent by email, and which of them you receive.
import { apiCommand, parseCount } from '../command.ts';
import { printMessage } from '../output/print-any.ts';

interface SettingOptions {
  readonly language?: string;
  readonly off?: string;
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List messages sent by email, newest first',
    options: (command) => command.option('--limit <number>', 'Maximum number of messages', parseCount, 50),
    async run({ client, print }, _, { limit }: { limit: number }) {
      const mails = await client.mailGet({ limit });
      await print.table(mails, ['id', 'created', 'address', 'subject', 'status']);
    },
  }),
  apiCommand({
    usage: 'show <id>',
    summary: 'Show a message',
    async run({ client, print }, { id }) {
      const [mail] = await client.mailGet({ id });
      await printMessage(print, mail!);
    },
  }),
  apiCommand({
    usage: 'settings',
    summary: 'Show or change which messages you receive, and in which language',
    options: (command) =>
      command
        .option('--language <code>', 'Language of messages, such as de')
        .option('--off <kinds>', 'Kinds that you do not receive, separated by commas'),
    async run({ client, print }, _, { language, off }: SettingOptions) {
      if (language !== undefined || off !== undefined)
        await client.mailSettingsSet({ language, off: off?.split(',') as never });
      const { kinds } = await client.mailSettingsGet();
      await print.table(kinds, ['kind', 'label', 'received']);
    },
  }),
];
