// hostyard mandate: direct debit mandates, and the bank details for transfers.
import type { Command } from 'commander';
import { apiCommand, withYes, type YesOption } from '../command.ts';
import { confirm } from '../prompt.ts';

interface MandateOptions extends YesOption {
  readonly holder: string;
  readonly iban: string;
}

export const commands = [
  apiCommand({
    usage: 'list',
    summary: 'List direct debit mandates',
    run: async ({ client, print }) =>
      print.table(await client.mandateList(), ['id', 'reference', 'label', 'name', 'scheme', 'state', 'signed']),
  }),
  apiCommand({
    usage: 'text',
    summary: 'Show the text of a mandate, and the bank details for transfers',
    async run({ client, print }) {
      const { transfer, ...rest } = await client.sepaGet();
      await print.fields({ ...rest, ...transfer });
    },
  }),
  apiCommand({
    usage: 'create',
    summary: 'Create a direct debit mandate',
    options: (command: Command) =>
      withYes(command.requiredOption('--holder <name>', 'Account holder').requiredOption('--iban <iban>', 'IBAN')),
    async run({ client, print, shell }, _, { holder, iban, ...options }: MandateOptions) {
      const { consent, text } = await client.sepaGet();
      await confirm(shell, `${text}\nDo you agree?`, options);
      const { label } = await client.mandateCreate({ holder, iban, consent });
      await print.text(`Mandate created: ${label}.`);
    },
  }),
];
