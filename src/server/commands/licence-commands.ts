// hostyard licence on the server itself: orders that await a licence key.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { fulfilLicence, listLicenceOrders } from '#app/software/licence-admin.ts';
import { printLine, parseWholeNumber, withApp } from '../command-line.ts';

export function licenceOrders(command: Command): void {
  command.action(() => withApp(async (app) => (await listLicenceOrders(app)).forEach(printLine)));
}

export function licenceDeliver(command: Command): void {
  command.action((order: string) =>
    withApp((app) => fulfilLicence(app, parseWholeNumber(order), readFileSync(0, 'utf8').trim())),
  );
}
