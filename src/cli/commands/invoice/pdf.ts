// hostyard invoice pdf: saves an invoice, or writes it to standard output.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { onCall } from '../../command.ts';
import type { Define } from '../../table.ts';

export const define: Define = (command, shell) => {
  command.option('--file <file>', 'where to save it; - for standard output');
  onCall(command, shell, async ({ client, show }, options: { file?: string }, invoice: string) => {
    const { name, bytes } = await client.invoicePdf({ invoice });
    if (options.file === '-') return void shell.out.write(bytes);
    // The name is the server's word: only its last part, in the folder where the caller is.
    const file = options.file ?? (basename(name) || `invoice-${invoice}.pdf`);
    await writeFile(file, bytes, options.file === undefined ? { flag: 'wx' } : {});
    await show.word(`Saved as ${file}.`);
  });
};
