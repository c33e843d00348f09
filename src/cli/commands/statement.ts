// hostyard statement: account statements.
import type { Command } from 'commander';
import { apiCommand } from '../command.ts';
import { saveDownload, withFile, type FileOption } from '../download.ts';
import { fieldsText, tableText } from '../output/table.ts';

interface PeriodOptions {
  readonly from: string;
  readonly until: string;
}

const withPeriod = (command: Command): Command =>
  command
    .requiredOption('--from <date>', 'First day, such as 2026-01-01')
    .requiredOption('--until <date>', 'Last day, such as 2026-12-31');

export const commands = [
  apiCommand({
    usage: 'show',
    summary: 'Show the invoices, payments and balances of a period',
    options: withPeriod,
    async run({ client, print }, _, { from, until }: PeriodOptions) {
      const statement = await client.statementGet({ from, until });
      await print.value(statement, () => {
        const { opening, charged, settled, closing, currency } = statement;
        return [
          tableText(statement.lines, ['date', 'kind', 'reference', 'amount', 'balance'], print),
          fieldsText(Object.entries({ opening, charged, settled, closing, currency }), print.palette),
        ].join('\n');
      });
    },
  }),
  apiCommand({
    usage: 'pdf',
    summary: 'Download an account statement as PDF',
    options: (command) => withFile(withPeriod(command)),
    async run(session, _, { from, until, ...options }: PeriodOptions & FileOption) {
      await saveDownload(session, await session.client.statementPdf({ from, until }), options);
    },
  }),
  apiCommand({
    usage: 'csv',
    summary: 'Download an account statement as CSV',
    options: (command) => withFile(withPeriod(command)),
    async run(session, _, { from, until, ...options }: PeriodOptions & FileOption) {
      await saveDownload(session, await session.client.statementCsv({ from, until }), options);
    },
  }),
];
