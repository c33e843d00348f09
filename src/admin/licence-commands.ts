// hostyard licence: orders of software that wait for a key.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { licenceGive, licenceOrdersText } from '#app/software/licence-admin.ts';
import { say, wholeNumber, withYard } from './command-line.ts';

export function licenceCommands(program: Command): void {
  const licence = program.command('licence').description('software licences that customers ordered');
  licence
    .command('list')
    .description('orders that wait for a key')
    .action(() => withYard(async (yard) => (await licenceOrdersText(yard)).forEach(say)));
  licence
    .command('give')
    .description('read the key of an order from standard input and hand it to the customer')
    .argument('<order>', 'number of the order', wholeNumber)
    .action((order: number) => withYard((yard) => licenceGive(yard, order, readFileSync(0, 'utf8').trim())));
}
