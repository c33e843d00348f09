// Billing on the command line: reads amounts strictly and returns lines of text.
import { ApiError } from '#lib/api-error.ts';
import { dayNumberText } from '#lib/time.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { invoiceByNumber, invoiceFind } from '#store/billing/invoices.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { CommandError } from '#lib/command-error.ts';
import type { App } from '../app.ts';
import { importBankList } from './bank-import.ts';
import { giveCredit, refundCredit, cancelInvoice } from './corrections.ts';
import { dryRun } from './dry-run.ts';
import { receivePayment } from './payments.ts';
import { startDueRuns } from './run.ts';
import { recordStaffAction } from './staff-audit.ts';
import type { AccountId } from '#store/account-id.ts';

export async function startRunsText(app: App): Promise<string> {
  const started = await startDueRuns(app, {
    operation: 'command line',
    record: (queries, account) => recordStaffAction(app, queries, { account, operation: 'cli.billingRun', target: '' }),
  });
  return started === 0
    ? 'No account is due.'
    : `Started billing runs for ${started} account${started === 1 ? '' : 's'}.`;
}

export async function* dryRunText(app: App): AsyncIterable<string> {
  let [accounts, before, now] = [0, 0, 0];
  for await (const { account, period, beforeCents, cents, differences } of dryRun(app)) {
    [accounts, before, now] = [accounts + 1, before + beforeCents, now + cents];
    yield `account ${account}, period from ${period}: ${moneyText(beforeCents)} -> ${moneyText(cents)}`;
    for (const difference of differences) yield `  ${difference}`;
  }
  yield `${accounts} account${accounts === 1 ? '' : 's'}: ${moneyText(before)} in the previous run, ${moneyText(now)} now, before tax. Nothing was issued.`;
}

export interface PaymentOptions {
  readonly invoice?: string;
  readonly account?: number;
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
}

export async function recordPaymentText(app: App, options: PaymentOptions): Promise<string> {
  const { invoice, account, amount, method, reference } = options;
  if ((invoice === undefined) === (account === undefined))
    throw new CommandError('Give either --invoice or --account.');
  const payer = invoice === undefined ? { account: account as AccountId } : { invoice };
  const payment = { payer, cents: parseAmount(amount), paidAt: app.clock.now(), method, reference };
  const outcome = await withCommandErrors(() =>
    app.store.transaction(async (queries) => {
      const received = await receivePayment(app, queries, payment);
      const payerId = account ?? (await invoiceByNumber(queries, invoice!))!.account_id;
      const action = {
        account: payerId as AccountId,
        operation: 'cli.billingPay',
        target: invoice ?? reference,
      } as const;
      if (received === 'received') await recordStaffAction(app, queries, action);
      return received;
    }),
  );
  return outcome === 'received' ? 'Payment recorded.' : 'This payment has already been recorded. Nothing was changed.';
}

export async function* importBankListText(app: App, file: string, method: string): AsyncIterable<string> {
  const { received, receivedCents, duplicates, outgoing, unmatched } = await importBankList(
    app,
    file,
    method,
    (queries, account, reference) =>
      recordStaffAction(app, queries, { account, operation: 'cli.billingImport', target: reference }),
  );
  yield `${received} received (${moneyText(receivedCents)}), ${duplicates} already known, ${outgoing} outgoing, ${unmatched.length} not matched`;
  for (const { line, reason } of unmatched) yield `line ${line}: ${reason}`;
}

export async function cancelInvoiceText(app: App, number: string, reason: string): Promise<string> {
  const note = await withCommandErrors(() =>
    app.store.transaction(async (queries) => {
      const issued = await cancelInvoice(app, queries, number, reason);
      const { account_id: account } = (await invoiceByNumber(queries, number))!;
      await recordStaffAction(app, queries, { account, operation: 'cli.billingCancel', target: number });
      return issued;
    }),
  );
  return `Issued credit note ${note.number} for ${moneyText(note.total_cents)}.`;
}

export async function giveCreditText(app: App, account: number, amount: string, reason: string): Promise<string> {
  const cents = parseAmount(amount);
  const action = { account: account as AccountId, operation: 'cli.billingCredit', target: reason } as const;
  await withCommandErrors(() =>
    app.store.transaction(async (queries) => {
      await giveCredit(app, queries, action.account, cents, reason);
      await recordStaffAction(app, queries, action);
    }),
  );
  return 'Credit granted.';
}

export async function refundText(app: App, options: Required<Omit<PaymentOptions, 'invoice'>>): Promise<string> {
  const { account, amount, method, reference } = options;
  const refund = { account: account as AccountId, cents: parseAmount(amount), method, reference };
  await withCommandErrors(() =>
    app.store.transaction(async (queries) => {
      await refundCredit(app, queries, refund);
      await recordStaffAction(app, queries, {
        account: refund.account,
        operation: 'cli.billingRefund',
        target: reference,
      });
    }),
  );
  return 'Refund recorded.';
}

export async function* ledgerText(app: App, account: number): AsyncIterable<string> {
  const { queries } = app.store;
  for (const entry of await ledgerList(queries, account as AccountId)) {
    const { at, debit, credit, amount_cents, kind, invoice_id, reference } = entry;
    const invoice = invoice_id === null ? undefined : await invoiceFind(queries, account as AccountId, invoice_id);
    const about = [kind, invoice?.number, reference].filter((part) => part !== undefined && part !== '');
    const day = dayNumberText(Math.floor(at / 86_400_000));
    yield `${day}  ${moneyText(amount_cents).padStart(12)}  ${debit} from ${credit}  ${[...new Set(about)].join(' ')}`;
  }
}

function parseAmount(amount: string): number {
  const cents = moneyCents(amount);
  if (cents === undefined || cents <= 0)
    throw new CommandError(`${amount} is not an amount above zero with at most two decimals.`);
  return cents;
}

async function withCommandErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}
