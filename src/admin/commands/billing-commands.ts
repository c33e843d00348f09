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
import { say, wholeNumber, withYard } from '../command-line.ts';

async function sayAll(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) say(line);
}

export function billingRun(command: Command): void {
  command
    .option('--dry-run', 'show what would be billed, beside the run before; nothing is issued')
    .action((options: { dryRun?: boolean }) =>
      withYard(async (yard) => (options.dryRun === true ? sayAll(dryRunText(yard)) : say(await runText(yard)))),
    );
}

export function billingPay(command: Command): void {
  command
    .option('--invoice <number>', 'of the account that pays')
    .option('--account <id>', 'who pays', wholeNumber)
    .requiredOption('--amount <amount>', 'such as 107.69')
    .requiredOption('--reference <text>', 'what makes it this payment and no other')
    .option('--method <name>', 'how it came', 'banktransfer')
    .action((options: GivenPayment) => withYard(async (yard) => say(await payText(yard, options))));
}

export function billingImport(command: Command): void {
  command
    .option('--method <name>', 'how they came', 'banktransfer')
    .action((file: string, options: { method: string }) =>
      withYard((yard) => sayAll(importText(yard, readFileSync(file, 'utf8'), options.method))),
    );
}

export function billingCancel(command: Command): void {
  command
    .requiredOption('--reason <text>', 'what the note says')
    .action((number: string, options: { reason: string }) =>
      withYard(async (yard) => say(await takeBackText(yard, number, options.reason))),
    );
}

export function billingCredit(command: Command): void {
  command
    .requiredOption('--account <id>', 'whose', wholeNumber)
    .requiredOption('--amount <amount>', 'such as 10.00')
    .requiredOption('--reason <text>', 'why')
    .action((options: { account: number; amount: string; reason: string }) =>
      withYard(async (yard) => say(await giveCreditText(yard, options.account, options.amount, options.reason))),
    );
}

export function billingRefund(command: Command): void {
  command
    .requiredOption('--account <id>', 'whose', wholeNumber)
    .requiredOption('--amount <amount>', 'such as 10.00')
    .requiredOption('--reference <text>', 'of the transfer')
    .option('--method <name>', 'how it was paid out', 'banktransfer')
    .action((options: { account: number; amount: string; reference: string; method: string }) =>
      withYard(async (yard) => say(await refundText(yard, options))),
    );
}

export function billingLedger(command: Command): void {
  command
    .requiredOption('--account <id>', 'whose', wholeNumber)
    .action((options: { account: number }) => withYard((yard) => sayAll(ledgerText(yard, options.account))));
}
