// hostyard licence on the server itself: orders that await a licence key.
import type { Command } from 'commander';
import { fulfilLicence, listLicenceOrders } from '#app/software/licence-admin.ts';
import { readInput } from '#cli/read-input.ts';
import type { Shell } from '#cli/shell.ts';
import { printLine, parseWholeNumber, withApp } from '../command-line.ts';

export function licenceOrders(command: Command): void {
  command.action(() => withApp(async (app) => (await listLicenceOrders(app)).forEach(printLine)));
}

export function licenceDeliver(command: Command, shell: Shell): void {
  command.action((order: string) =>
    withApp(async (app) => fulfilLicence(app, parseWholeNumber(order), (await readInput(shell, '-')).trim())),
  );
}
