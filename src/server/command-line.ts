// Shared by the local commands: the app of this installation, output, and strict argument parsing.
import { InvalidArgumentError } from 'commander';
import type { App } from '#app/app.ts';
import { stripControls } from '#cli/output/text.ts';
import { readConfig } from '#lib/config.ts';
import { createApp } from './create-app.ts';
import { openDataFolder } from './data-folder.ts';

/** Removes what a terminal would interpret: some texts come from customers, and from whoever sent money. */
export function printLine(text: string): void {
  process.stdout.write(`${stripControls(text)}\n`);
}

export async function withApp(callback: (app: App) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  openDataFolder(config.dataFolder);
  await using app = await createApp({ ...config, logLevel: 'silent' });
  await callback(app);
}

export function parseWholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}
