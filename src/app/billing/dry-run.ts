// What the runs that are due would bill, beside what the run before billed: nothing is written and nobody is told.
import { dayNumberText, dayOf } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { billingAccountsDue, type BillingAccount } from '#store/billing/billing-accounts.ts';
import { chargesBefore } from '#store/billing/charges.ts';
import type { Yard } from '../yard.ts';
import type { Charge } from './charges.ts';
import { measureAccount } from './measure.ts';
import { drawBill, periodsOf } from './run.ts';
import { billingSettings } from './settings.ts';

const accountsAtOnce = 100;

export interface AccountDryRun {
  readonly account: number;
  readonly period: string;
  readonly beforeCents: number;
  readonly cents: number;
  /** What is new, gone, or costs something else than in the run before. */
  readonly differences: readonly string[];
}

/** In the order of the accounts, from the first after that one on. */
export async function* dryRun(yard: Pick<Yard, 'store' | 'clock'>, afterAccount = 0): AsyncIterable<AccountDryRun> {
  const { queries } = yard.store;
  const today = dayOf(yard.clock.now());
  for (let after = afterAccount; ;) {
    const due = await billingAccountsDue(queries, today, after, accountsAtOnce);
    if (due.length === 0) return;
    after = due.at(-1)!.account_id;
    for (const billing of due) {
      const account = await accountDryRun(yard, billing, billing.next_day);
      if (account.cents !== 0 || account.differences.length > 0) yield account;
    }
  }
}

async function accountDryRun(
  { store: { queries } }: Pick<Yard, 'store'>,
  billing: BillingAccount,
  periodDay: number,
): Promise<AccountDryRun> {
  const account = billing.account_id;
  const { attacks } = await billingSettings(queries);
  const measured = await measureAccount(queries, account, periodsOf(billing, periodDay).previous, { attacks });
  const { charges } = await drawBill(queries, billing, periodDay, measured);
  const before = await chargesBefore(queries, account, periodDay);
  const sums = sumsBySubject(charges.map(({ kind, subject, cents }) => ({ of: `${kind} ${subject}`, cents })));
  const sumsBefore = sumsBySubject(
    before.map(({ kind, subject, amount_cents }) => ({ of: `${kind} ${subject}`, cents: amount_cents })),
  );
  return {
    account,
    period: dayNumberText(periodDay),
    beforeCents: total(sumsBefore),
    cents: total(sums),
    differences: [...new Set([...sums.keys(), ...sumsBefore.keys()])]
      .filter((of) => sums.get(of) !== sumsBefore.get(of))
      .map((of) => differenceText(of, sumsBefore.get(of), sums.get(of), charges)),
  };
}

function sumsBySubject(all: readonly { readonly of: string; readonly cents: number }[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { of, cents } of all) sums.set(of, (sums.get(of) ?? 0) + cents);
  return sums;
}

function total(sums: ReadonlyMap<string, number>): number {
  return [...sums.values()].reduce((sum, cents) => sum + cents, 0);
}

function differenceText(
  of: string,
  before: number | undefined,
  now: number | undefined,
  charges: readonly Charge[],
): string {
  const said = charges.find(({ kind, subject }) => `${kind} ${subject}` === of)?.description ?? of;
  const words = (cents: number | undefined): string => (cents === undefined ? 'nothing' : moneyText(cents));
  return `${words(before)} -> ${words(now)}  ${said}`;
}
