// What staff do with money on the command line: amounts are read strictly, and everything is told in lines of text.
import { Fault } from '#kernel/fault.ts';
import { dayNumberText } from '#kernel/moments.ts';
import { moneyCents, moneyText } from '#kernel/money.ts';
import { invoiceByNumber, invoiceFind } from '#store/billing/invoices.ts';
import { ledgerList } from '#store/billing/ledger.ts';
import type { AccountId } from '#store/tables.ts';
import { AdminError } from '../admin-error.ts';
import type { Yard } from '../yard.ts';
import { bankImport } from './bank-import.ts';
import { creditGive, creditRefund, invoiceTakeBack } from './corrections.ts';
import { dryRun } from './dry-run.ts';
import { paymentReceive } from './payments.ts';
import { startDueRuns } from './run.ts';
import { staffAudit } from './staff-audit.ts';

export async function runText(yard: Yard): Promise<string> {
  const started = await startDueRuns(yard, {
    operation: 'command line',
    noted: (queries, account) => staffAudit(yard, queries, { account, operation: 'cli.billingRun', target: '' }),
  });
  return started === 0 ? 'No account is due.' : `Started for ${started} account${started === 1 ? '' : 's'}.`;
}

export async function* dryRunText(yard: Yard): AsyncIterable<string> {
  let [accounts, before, now] = [0, 0, 0];
  for await (const { account, period, beforeCents, cents, differences } of dryRun(yard)) {
    [accounts, before, now] = [accounts + 1, before + beforeCents, now + cents];
    yield `account ${account}, period from ${period}: ${moneyText(beforeCents)} -> ${moneyText(cents)}`;
    for (const difference of differences) yield `  ${difference}`;
  }
  yield `${accounts} account${accounts === 1 ? '' : 's'}: ${moneyText(before)} in the run before, ${moneyText(now)} now, without tax. Nothing was issued.`;
}

export interface GivenPayment {
  readonly invoice?: string;
  readonly account?: number;
  readonly amount: string;
  readonly method: string;
  readonly reference: string;
}

export async function payText(yard: Yard, given: GivenPayment): Promise<string> {
  const { invoice, account, amount, method, reference } = given;
  if ((invoice === undefined) === (account === undefined)) throw new AdminError('Give --invoice or --account.');
  const payer = invoice === undefined ? { account: account as AccountId } : { invoice };
  const payment = { payer, cents: centsOf(amount), paidAt: yard.clock.now(), method, reference };
  const outcome = await inWords(() =>
    yard.store.transaction(async (queries) => {
      const received = await paymentReceive(yard, queries, payment);
      const whose = account ?? (await invoiceByNumber(queries, invoice!))!.account_id;
      const act = { account: whose as AccountId, operation: 'cli.billingPay', target: invoice ?? reference } as const;
      if (received === 'received') await staffAudit(yard, queries, act);
      return received;
    }),
  );
  return outcome === 'received' ? 'Received.' : 'This payment was received before; nothing was changed.';
}

export async function* importText(yard: Yard, file: string, method: string): AsyncIterable<string> {
  const { received, receivedCents, again, outgoing, unmatched } = await bankImport(
    yard,
    file,
    method,
    (queries, account, reference) =>
      staffAudit(yard, queries, { account, operation: 'cli.billingImport', target: reference }),
  );
  yield `${received} received (${moneyText(receivedCents)}), ${again} known before, ${outgoing} outgoing, ${unmatched.length} not matched`;
  for (const { line, reason } of unmatched) yield `line ${line}: ${reason}`;
}

export async function takeBackText(yard: Yard, number: string, reason: string): Promise<string> {
  const note = await inWords(() =>
    yard.store.transaction(async (queries) => {
      const issued = await invoiceTakeBack(yard, queries, number, reason);
      const { account_id: account } = (await invoiceByNumber(queries, number))!;
      await staffAudit(yard, queries, { account, operation: 'cli.billingCancel', target: number });
      return issued;
    }),
  );
  return `Credit note ${note.number} over ${moneyText(note.total_cents)}.`;
}

export async function giveCreditText(yard: Yard, account: number, amount: string, reason: string): Promise<string> {
  const cents = centsOf(amount);
  const act = { account: account as AccountId, operation: 'cli.billingCredit', target: reason } as const;
  await inWords(() =>
    yard.store.transaction(async (queries) => {
      await creditGive(yard, queries, act.account, cents, reason);
      await staffAudit(yard, queries, act);
    }),
  );
  return 'Given.';
}

export async function refundText(yard: Yard, given: Required<Omit<GivenPayment, 'invoice'>>): Promise<string> {
  const { account, amount, method, reference } = given;
  const refund = { account: account as AccountId, cents: centsOf(amount), method, reference };
  await inWords(() =>
    yard.store.transaction(async (queries) => {
      await creditRefund(yard, queries, refund);
      await staffAudit(yard, queries, { account: refund.account, operation: 'cli.billingRefund', target: reference });
    }),
  );
  return 'Noted.';
}

export async function* ledgerText(yard: Yard, account: number): AsyncIterable<string> {
  const { queries } = yard.store;
  for (const entry of await ledgerList(queries, account as AccountId)) {
    const { at, debit, credit, amount_cents, kind, invoice_id, reference } = entry;
    const invoice = invoice_id === null ? undefined : await invoiceFind(queries, account as AccountId, invoice_id);
    const about = [kind, invoice?.number, reference].filter((part) => part !== undefined && part !== '');
    const day = dayNumberText(Math.floor(at / 86_400_000));
    yield `${day}  ${moneyText(amount_cents).padStart(12)}  ${debit} from ${credit}  ${[...new Set(about)].join(' ')}`;
  }
}

function centsOf(amount: string): number {
  const cents = moneyCents(amount);
  if (cents === undefined || cents <= 0)
    throw new AdminError(`${amount} is not an amount above zero with at most two decimals.`);
  return cents;
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Fault) throw new AdminError(error.message, { cause: error });
    throw error;
  }
}
