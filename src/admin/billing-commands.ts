// hostyard billing: runs, payments and corrections, for staff.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  dryRunText,
  giveCreditText,
  importText,
  ledgerText,
  payText,
  refundText,
  runText,
  takeBackText,
  type GivenPayment,
} from '#app/billing/admin.ts';
import { say, wholeNumber, withYard } from './command-line.ts';

async function sayAll(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) say(line);
}

export function billingCommands(program: Command): void {
  const billing = program.command('billing').description('bills and payments');
  billing
    .command('run')
    .description('start the runs that are due at once, rather than within a minute; the server carries them out')
    .option('--dry-run', 'show what would be billed, beside the run before; nothing is issued')
    .action((options: { dryRun?: boolean }) =>
      withYard(async (yard) => (options.dryRun === true ? sayAll(dryRunText(yard)) : say(await runText(yard)))),
    );
  billing
    .command('pay')
    .description('note a payment; it goes to the oldest invoices first')
    .option('--invoice <number>', 'of the account that pays')
    .option('--account <id>', 'who pays', wholeNumber)
    .requiredOption('--amount <amount>', 'such as 107.69')
    .requiredOption('--reference <text>', 'what makes it this payment and no other')
    .option('--method <name>', 'how it came', 'banktransfer')
    .action((options: GivenPayment) => withYard(async (yard) => say(await payText(yard, options))));
  billing
    .command('payments')
    .description('payments of a bank')
    .command('import')
    .description('take the payments of a bank’s list: columns date, amount, reference, text')
    .argument('<file>', 'the list, as CSV')
    .option('--method <name>', 'how they came', 'banktransfer')
    .action((file: string, options: { method: string }) =>
      withYard((yard) => sayAll(importText(yard, readFileSync(file, 'utf8'), options.method))),
    );
  billing
    .command('cancel')
    .description('take an invoice back with a credit note')
    .argument('<number>', 'of the invoice')
    .requiredOption('--reason <text>', 'what the note says')
    .action((number: string, options: { reason: string }) =>
      withYard(async (yard) => say(await takeBackText(yard, number, options.reason))),
    );
  billing
    .command('credit')
    .description('give an account credit')
    .requiredOption('--account <id>', 'whose', wholeNumber)
    .requiredOption('--amount <amount>', 'such as 10.00')
    .requiredOption('--reason <text>', 'why')
    .action((options: { account: number; amount: string; reason: string }) =>
      withYard(async (yard) => say(await giveCreditText(yard, options.account, options.amount, options.reason))),
    );
  billing
    .command('refund')
    .description('note that credit was paid out')
    .requiredOption('--account <id>', 'whose', wholeNumber)
    .requiredOption('--amount <amount>', 'such as 10.00')
    .requiredOption('--reference <text>', 'of the transfer')
    .option('--method <name>', 'how it was paid out', 'banktransfer')
    .action((options: { account: number; amount: string; reference: string; method: string }) =>
      withYard(async (yard) => say(await refundText(yard, options))),
    );
  billing
    .command('ledger')
    .description('every entry of an account')
    .requiredOption('--account <id>', 'whose', wholeNumber)
    .action((options: { account: number }) => withYard((yard) => sayAll(ledgerText(yard, options.account))));
}
