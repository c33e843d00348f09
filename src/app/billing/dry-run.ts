// Compares what the due runs would bill with what the previous run billed. Writes nothing and emits no events.
import { dayNumberText, dayOf } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { billingAccountsDue, type BillingAccount } from '#store/billing/billing-accounts.ts';
import { chargesBefore } from '#store/billing/charges.ts';
import type { App } from '../app.ts';
import type { Charge } from './charges.ts';
import { measureAccount } from './measure.ts';
import { computeBill, billedPeriods } from './run.ts';
import { getBillingSettings } from './settings.ts';

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
  const { attacks } = await getBillingSettings(queries);
  const measured = await measureAccount(queries, account, billedPeriods(billing, periodDay).previous, { attacks });
  const { charges } = await computeBill(queries, billing, periodDay, measured);
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
