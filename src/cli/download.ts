// Saves files that the API returns.
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { FileResponse } from '#sdk/v2.ts';
import type { Invocation } from './session.ts';

export interface FileOption {
  readonly file?: string;
}

export function withFile(command: Command): Command {
  return command.option('--file <file>', 'Where to save it; - for standard output');
}

export async function saveDownload(
  { print, shell }: Pick<Invocation, 'print' | 'shell'>,
  { name, bytes }: FileResponse,
  options: FileOption,
): Promise<void> {
  if (options.file === '-') return void shell.out.write(bytes);
  // The server chose the name: use only its last part, and never overwrite a file.
  const file = options.file ?? (basename(name) || 'download.pdf');
  await writeFile(file, bytes, options.file === undefined ? { flag: 'wx' } : {});
  await print.text(`Saved as ${file}.`);
}
