// What customers owed at the end of a day, by how late it was.
import type { Static } from 'typebox';
import type { Receivables } from '#contract/operator/report.ts';
import { moneyText } from '#lib/money.ts';
import { pauseWork } from '#lib/slices.ts';
import { dayMs, dayNumberText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { batches } from '#store/engine/rows.ts';
import {
  accountNames,
  paymentSlice,
  settledItems,
  unpaidSlice,
  type NamedAccount,
  type OpenItem,
  type PaymentPosition,
} from '#store/billing/reports.ts';
import type { Queries } from '#store/store.ts';

const sliceLength = 200;

const ageNames = ['current', 'days30', 'days60', 'days90', 'older'] as const;
export type AgeName = (typeof ageNames)[number];
export type Ages = Readonly<Record<AgeName, number>>;
const noAges: Ages = { current: 0, days30: 0, days60: 0, days90: 0, older: 0 };

function ageOf(daysLate: number): AgeName {
  if (daysLate <= 0) return 'current';
  if (daysLate <= 30) return 'days30';
  if (daysLate <= 60) return 'days60';
  return daysLate <= 90 ? 'days90' : 'older';
}

function addAges(left: Ages, right: Ages): Ages {
  return Object.fromEntries(ageNames.map((name) => [name, left[name] + right[name]])) as Ages;
}

export function totalOf(ages: Ages): number {
  return ageNames.reduce((sum, name) => sum + ages[name], 0);
}

export interface Debtor {
  readonly account: NamedAccount;
  readonly ages: Ages;
}

/** Returns everyone who owed something at the end of the day, the largest debt first. */
export async function findDebtors(queries: Queries, day: number): Promise<Debtor[]> {
  const ages = new Map<AccountId, Ages>();
  for await (const { account_id, due_day, open_cents } of openItems(queries, day)) {
    const item = { ...noAges, [ageOf(day - due_day)]: open_cents };
    ages.set(account_id, addAges(ages.get(account_id) ?? noAges, item));
  }
  const debtors: Debtor[] = [];
  for (const ids of batches([...ages.keys()], sliceLength)) {
    for (const account of await accountNames(queries, ids)) debtors.push({ account, ages: ages.get(account.id)! });
    await pauseWork('outside a transaction');
  }
  return debtors.toSorted((left, right) => totalOf(right.ages) - totalOf(left.ages));
}

/**
 * Yields the invoices that were open at the end of the day: of invoices that are unpaid today, and of invoices that a later
 * payment has settled.
 */
async function* openItems(queries: Queries, day: number): AsyncGenerator<OpenItem> {
  const end = { day, until: (day + 1) * dayMs };
  const isOpen = ({ open_cents }: OpenItem): boolean => open_cents > 0;
  for (let after = 0; ;) {
    const items = await unpaidSlice(queries, end, after, sliceLength);
    yield* items.filter(isOpen);
    if (items.length < sliceLength) break;
    after = items.at(-1)!.id;
    await pauseWork('outside a transaction');
  }
  const seen = new Set<number>();
  for (let after: PaymentPosition | undefined; ;) {
    const payments = await paymentSlice(queries, end.until, after, sliceLength);
    const ids = [...new Set(payments.map(({ invoice_id }) => invoice_id))].filter((id) => !seen.has(id));
    for (const id of ids) seen.add(id);
    if (ids.length > 0) yield* (await settledItems(queries, ids, end)).filter(isOpen);
    if (payments.length < sliceLength) return;
    after = payments.at(-1)!;
    await pauseWork('outside a transaction');
  }
}

export async function receivablesReport(
  queries: Queries,
  day: number,
  limit: number,
): Promise<Static<typeof Receivables>> {
  const debtors = await findDebtors(queries, day);
  const byCurrency = Map.groupBy(debtors, ({ account }) => account.currency);
  const totals = [...byCurrency]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([currency, group]) => ({
      currency,
      customers: String(group.length),
      ...ageTexts(group.reduce((sum, { ages }) => addAges(sum, ages), noAges)),
    }));
  return { day: dayNumberText(day), totals, customers: debtors.slice(0, limit).map(debtorRow) };
}

export function debtorRow({ account, ages }: Debtor) {
  const { id, firstname, lastname, companyname, currency } = account;
  const person = `${firstname} ${lastname}`;
  const name = companyname === '' ? person : `${companyname} (${person})`;
  return { account: String(id), name, currency, ...ageTexts(ages) };
}

function ageTexts(ages: Ages) {
  const texts = Object.fromEntries(ageNames.map((name) => [name, moneyText(ages[name])])) as Record<AgeName, string>;
  return { ...texts, total: moneyText(totalOf(ages)) };
}
