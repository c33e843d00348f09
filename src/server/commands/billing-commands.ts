// hostyard billing: billing runs, payments and corrections.
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  dryRunText,
  giveCreditText,
  importBankListText,
  ledgerText,
  recordPaymentText,
  refundText,
  startRunsText,
  cancelInvoiceText,
  type PaymentOptions,
} from '#app/billing/admin.ts';
import { printLine, parseWholeNumber, withApp } from '../command-line.ts';

async function printLines(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) printLine(line);
}

export function billingRun(command: Command): void {
  command
    .option('--dry-run', 'Compare what would be billed with the previous run; issue nothing')
    .action((options: { dryRun?: boolean }) =>
      withApp(async (app) =>
        options.dryRun === true ? printLines(dryRunText(app)) : printLine(await startRunsText(app)),
      ),
    );
}

export function billingPay(command: Command): void {
  command
    .option('--invoice <number>', 'Invoice number of the paying account')
    .option('--account <id>', 'Paying account', parseWholeNumber)
    .requiredOption('--amount <amount>', 'Amount, such as 107.69')
    .requiredOption('--reference <text>', 'Unique reference of the payment')
    .option('--method <name>', 'Payment method', 'banktransfer')
    .action((options: PaymentOptions) => withApp(async (app) => printLine(await recordPaymentText(app, options))));
}

export function billingImport(command: Command): void {
  command
    .option('--method <name>', 'Payment method', 'banktransfer')
    .action((file: string, options: { method: string }) =>
      withApp((app) => printLines(importBankListText(app, readFileSync(file, 'utf8'), options.method))),
    );
}

export function billingCancel(command: Command): void {
  command
    .requiredOption('--reason <text>', 'Reason, printed on the credit note')
    .action((number: string, options: { reason: string }) =>
      withApp(async (app) => printLine(await cancelInvoiceText(app, number, options.reason))),
    );
}

export function billingCredit(command: Command): void {
  command
    .requiredOption('--account <id>', 'Account', parseWholeNumber)
    .requiredOption('--amount <amount>', 'Amount, such as 10.00')
    .requiredOption('--reason <text>', 'Reason')
    .action((options: { account: number; amount: string; reason: string }) =>
      withApp(async (app) => printLine(await giveCreditText(app, options.account, options.amount, options.reason))),
    );
}

export function billingRefund(command: Command): void {
  command
    .requiredOption('--account <id>', 'Account', parseWholeNumber)
    .requiredOption('--amount <amount>', 'Amount, such as 10.00')
    .requiredOption('--reference <text>', 'Reference of the transfer')
    .option('--method <name>', 'Payment method', 'banktransfer')
    .action((options: { account: number; amount: string; reference: string; method: string }) =>
      withApp(async (app) => printLine(await refundText(app, options))),
    );
}

export function billingLedger(command: Command): void {
  command
    .requiredOption('--account <id>', 'Account', parseWholeNumber)
    .action((options: { account: number }) => withApp((app) => printLines(ledgerText(app, options.account))));
}
