// Billing on the command line: reads amounts strictly, returns lines of text, and records every change in the account's
// audit log.
import { userInfo } from 'node:os';
import { ApiError } from '#lib/api-error.ts';
import { countText } from '#lib/count-text.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { auditAppend } from '#store/account/audit.ts';
import { invoiceByNumber, invoiceFind } from '#store/billing/invoices.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import { CommandError } from '#lib/command-error.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { requireAccount } from '../account/require-account.ts';
import { importBankList } from './bank-import.ts';
import { giveCredit, refundCredit, cancelInvoice } from './corrections.ts';
import { dryRun } from './dry-run.ts';
import { receivePayment } from './payments.ts';
import { startDueRuns } from './run.ts';
import type { AccountId } from '#store/account-id.ts';

const targetLength = 255;

export async function startRunsText(app: App): Promise<string> {
  const started = await commandErrors(() =>
    startDueRuns(app, {
      operation: 'command line',
      record: (queries, account) => recordStaffAction(app, queries, account, 'cli.billingRun', ''),
    }),
  );
  return started === 0 ? 'No account is due.' : `Started billing runs for ${countText(started, 'account')}.`;
}

export async function* dryRunText(app: App): AsyncIterable<string> {
  let [accounts, previousTotal, total] = [0, 0, 0];
  for await (const { account, period, previousCents, cents, differences } of dryRun(app)) {
    [accounts, previousTotal, total] = [accounts + 1, previousTotal + previousCents, total + cents];
    yield `account ${account}, period from ${period}: ${moneyText(previousCents)} -> ${moneyText(cents)}`;
    for (const difference of differences) yield `  ${difference}`;
  }
  yield `${countText(accounts, 'account')}: ${moneyText(previousTotal)} in the previous run, ${moneyText(total)} now, before tax. Nothing was issued.`;
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
  const outcome = await transaction(app, async (queries) => {
    const received = await receivePayment(app, queries, payment);
    const payerId = payer.account ?? (await invoiceByNumber(queries, invoice!))!.account_id;
    if (received === 'received') await recordStaffAction(app, queries, payerId, 'cli.billingPay', invoice ?? reference);
    return received;
  });
  return outcome === 'received' ? 'Payment recorded.' : 'This payment has already been recorded. Nothing was changed.';
}

export async function* importBankListText(app: App, file: string, method: string): AsyncIterable<string> {
  const { received, receivedCents, duplicates, outgoing, unmatched } = await importBankList(
    app,
    file,
    method,
    (queries, account, reference) => recordStaffAction(app, queries, account, 'cli.billingImport', reference),
  );
  yield `${received} received (${moneyText(receivedCents)}), ${duplicates} already known, ${outgoing} outgoing, ${unmatched.length} not matched`;
  for (const { line, reason } of unmatched) yield `line ${line}: ${reason}`;
}

export async function cancelInvoiceText(app: App, number: string, reason: string): Promise<string> {
  const note = await transaction(app, async (queries) => {
    const issued = await cancelInvoice(app, queries, number, reason);
    const { account_id: account } = (await invoiceByNumber(queries, number))!;
    await recordStaffAction(app, queries, account, 'cli.billingCancel', number);
    return issued;
  });
  return `Issued credit note ${note.number} for ${moneyText(note.total_cents)}.`;
}

export async function giveCreditText(app: App, account: number, amount: string, reason: string): Promise<string> {
  const cents = parseAmount(amount);
  await transaction(app, async (queries) => {
    await giveCredit(app, queries, account as AccountId, cents, reason);
    await recordStaffAction(app, queries, account as AccountId, 'cli.billingCredit', reason);
  });
  return 'Credit granted.';
}

export async function refundText(app: App, options: Required<Omit<PaymentOptions, 'invoice'>>): Promise<string> {
  const { account, amount, method, reference } = options;
  const refund = { account: account as AccountId, cents: parseAmount(amount), method, reference };
  await transaction(app, async (queries) => {
    await refundCredit(app, queries, refund);
    await recordStaffAction(app, queries, refund.account, 'cli.billingRefund', reference);
  });
  return 'Refund recorded.';
}

export async function* ledgerText(app: App, account: number): AsyncIterable<string> {
  const { queries } = app.store;
  await requireAccount(queries, account);
  for (const entry of await ledgerList(queries, account as AccountId)) {
    const { at, debit, credit, amount_cents, kind, invoice_id, reference } = entry;
    const invoice = invoice_id === null ? undefined : await invoiceFind(queries, account as AccountId, invoice_id);
    const about = [kind, invoice?.number, reference].filter((part) => part !== undefined && part !== '');
    const day = dayNumberText(dayOf(at));
    yield `${day}  ${moneyText(amount_cents).padStart(12)}  ${debit} from ${credit}  ${[...new Set(about)].join(' ')}`;
  }
}

function parseAmount(amount: string): number {
  const cents = moneyCents(amount);
  if (cents === undefined || cents <= 0)
    throw new CommandError(`${amount} is not an amount above zero with at most two decimals.`);
  return cents;
}

function transaction<T>(app: App, work: (queries: Queries) => Promise<T>): Promise<T> {
  return commandErrors(() => app.store.transaction(work));
}

/** Turns ApiErrors of the work into errors of the command. */
async function commandErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) throw new CommandError(error.message, { cause: error });
    throw error;
  }
}

/** The target is the affected invoice number or payment reference. */
async function recordStaffAction(
  app: App,
  queries: Queries,
  account: AccountId,
  operation: `cli.${string}`,
  target: string,
): Promise<void> {
  await auditAppend(queries, {
    account_id: account,
    at: app.clock.now(),
    address: '',
    key_id: null,
    contact_id: null,
    operation,
    target: target.slice(0, targetLength),
    outcome: 'success',
    request_id: '',
    operator: `operator on the command line (${systemUser()})`,
  });
}

/** Some system users have an id but no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
