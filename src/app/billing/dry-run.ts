// Computes bills without issuing them: previews of the next invoice, and what the due runs would bill compared with what the
// previous run billed. Writes nothing and emits no events.
import type { Static } from 'typebox';
import type { InvoicePreview } from '#contract/shapes/pricing.ts';
import { dayMs, dayNumberText, dayOf } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { accountFind, type Account } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountFind, billingAccountsDue, type BillingAccount } from '#store/billing/billing-accounts.ts';
import { chargesBefore } from '#store/billing/charges.ts';
import { creditOf } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import type { Charge } from './charges.ts';
import { computeSums, taxRates, withTaxes } from './issue.ts';
import { measureAccount } from './measure.ts';
import { billedPeriods, chargeLines, computeBill, type Bill } from './run.ts';
import { getBillingSettings } from './settings.ts';

type Preview = Static<typeof InvoicePreview>;

const batchSize = 100;

export interface AccountDryRun {
  readonly account: number;
  readonly period: string;
  readonly previousCents: number;
  readonly cents: number;
  /** Charges that are new, gone, or priced differently than in the previous run. */
  readonly differences: readonly string[];
}

/** Yields accounts in order of their ids, starting after the given one. */
export async function* dryRun(app: Pick<App, 'store' | 'clock'>, afterAccount = 0): AsyncIterable<AccountDryRun> {
  const { queries } = app.store;
  const today = dayOf(app.clock.now());
  for (let after = afterAccount; ;) {
    const due = await billingAccountsDue(queries, today, after, batchSize);
    if (due.length === 0) return;
    after = due.at(-1)!.account_id;
    for (const billing of due) {
      const account = await accountDryRun(app, billing, billing.next_day);
      if (account.cents !== 0 || account.differences.length > 0) yield account;
    }
  }
}

async function accountDryRun(
  { store: { queries } }: Pick<App, 'store'>,
  billing: BillingAccount,
  periodDay: number,
): Promise<AccountDryRun> {
  const account = billing.account_id;
  const { charges } = await computeNextBill(queries, billing, periodDay);
  const previousCharges = await chargesBefore(queries, account, periodDay);
  const sums = sumsBySubject(charges.map(({ kind, subject, cents }) => ({ key: `${kind} ${subject}`, cents })));
  const previousSums = sumsBySubject(
    previousCharges.map(({ kind, subject, amount_cents }) => ({ key: `${kind} ${subject}`, cents: amount_cents })),
  );
  return {
    account,
    period: dayNumberText(periodDay),
    previousCents: total(previousSums),
    cents: total(sums),
    differences: [...new Set([...sums.keys(), ...previousSums.keys()])]
      .filter((key) => sums.get(key) !== previousSums.get(key))
      .map((key) => differenceText(key, previousSums.get(key), sums.get(key), charges)),
  };
}

/** Returns what the run of the period would bill; with a service, only its traffic is measured. */
async function computeNextBill(
  queries: Queries,
  billing: BillingAccount,
  periodDay: number,
  service?: number,
): Promise<Bill> {
  const { attacks } = await getBillingSettings(queries);
  const { previous } = billedPeriods(billing, periodDay);
  const measured = await measureAccount(queries, billing.account_id, previous, { attacks }, service);
  return computeBill(queries, billing, periodDay, measured);
}

/** Returns the next invoice of an account as it is computed today, or the part of one service in it. */
export async function previewInvoice(queries: Queries, account: AccountId, service?: number): Promise<Preview> {
  const customer = (await accountFind(queries, account))!;
  const billing = await billingAccountFind(queries, account);
  const none = { date: '', subtotal: '0.00', tax: '0.00', credit: '0.00', total: '0.00', lines: [] };
  if (billing?.next_day == null) return { currency: customer.currency, ...none };
  const { charges } = await computeNextBill(queries, billing, billing.next_day, service);
  const billed = service === undefined ? charges : charges.filter((charge) => charge.service === service);
  const { sums, ...amounts } = await describeCharges(queries, customer, billed, billing.next_day);
  const available = service === undefined ? await creditOf(queries, account) : 0;
  const credit = Math.max(0, Math.min(available, sums.gross));
  return {
    currency: customer.currency,
    ...amounts,
    credit: moneyText(credit),
    total: moneyText(sums.gross - credit),
  };
}

/** Returns charges as the invoice of the day has them: with their tax, and before credit. */
export async function describeCharges(queries: Queries, customer: Account, charges: readonly Charge[], day: number) {
  const rates = taxRates(await getBillingSettings(queries), customer.country);
  const lines = await withTaxes(queries, customer, { lines: chargeLines(charges), now: day * dayMs });
  const sums = computeSums(lines, rates);
  return {
    sums,
    date: dayNumberText(day),
    subtotal: moneyText(sums.subtotal),
    tax: moneyText(sums.tax + sums.tax2),
    lines: charges.map(({ description, cents }) => ({ description, amount: moneyText(cents) })),
  };
}

function sumsBySubject(charges: readonly { readonly key: string; readonly cents: number }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { key, cents } of charges) sums.set(key, (sums.get(key) ?? 0) + cents);
  return sums;
}

function total(sums: ReadonlyMap<string, number>): number {
  return [...sums.values()].reduce((sum, cents) => sum + cents, 0);
}

function differenceText(
  key: string,
  before: number | undefined,
  now: number | undefined,
  charges: readonly Charge[],
): string {
  const description = charges.find(({ kind, subject }) => `${kind} ${subject}` === key)?.description ?? key;
  const amountText = (cents: number | undefined): string => (cents === undefined ? 'nothing' : moneyText(cents));
  return `${amountText(before)} -> ${amountText(now)}  ${description}`;
}
