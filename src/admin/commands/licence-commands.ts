// hostyard licence: orders of software that wait for a key.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { licenceGive, licenceOrdersText } from '#app/software/licence-admin.ts';
import { say, wholeNumber, withYard } from '../command-line.ts';

export function licenceOrders(command: Command): void {
  command.action(() => withYard(async (yard) => (await licenceOrdersText(yard)).forEach(say)));
}

export function licenceKeyGive(command: Command): void {
  command.action((order: string) =>
    withYard((yard) => licenceGive(yard, wholeNumber(order), readFileSync(0, 'utf8').trim())),
  );
}
