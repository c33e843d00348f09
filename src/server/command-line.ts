// Shared by the local commands: the app of this installation, output, and strict argument parsing.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import type { App } from '#app/app.ts';
import { CommandError } from '#cli/exit-codes.ts';
import { stripControls } from '#cli/output/text.ts';
import { readConfig } from '#lib/config.ts';
import { sqliteName, type StoreLocation } from '#store/location.ts';
import { createApp } from './create-app.ts';
import { openDataFolder } from './data-folder.ts';

/** Removes what a terminal would interpret: some texts come from customers, and from whoever sent money. */
export function printLine(text: string): void {
  process.stdout.write(`${stripControls(text)}\n`);
}

/** Rejects a data folder without a database: in the wrong folder, a command would create one and report about that. */
export function requireDatabase({ dataFolder, database }: StoreLocation): void {
  const file = resolve(dataFolder, sqliteName);
  if (database === undefined && !existsSync(file))
    throw new CommandError(`${file} does not exist. Start the server once, or set HOSTYARD_DATA to its data folder.`);
}

export async function withApp(callback: (app: App) => Promise<void>): Promise<void> {
  requireDatabase(readConfig(process.env));
  await withNewApp(callback);
}

/** Creates the database if there is none: a site file can be applied before the first start. */
export async function withNewApp(callback: (app: App) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  openDataFolder(config.dataFolder);
  await using app = await createApp({ ...config, logLevel: 'silent' });
  await callback(app);
}

export function parseWholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError(`“${text}” is not a whole number.`);
  return Number(text);
}
