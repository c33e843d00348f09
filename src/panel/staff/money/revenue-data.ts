// Sums of the revenue report: by month and plan for the chart, and by plan or kind of line for the tables.
import type { StaffResult } from '../../data/operations.ts';
import type { BarSeries } from '../../parts/bar-series.ts';

export type RevenueRow = StaffResult<'reportRevenue'>[number];

/** More would have colours that are hard to distinguish. */
const maxSeries = 6;

export interface RevenueChart {
  readonly months: readonly string[];
  readonly series: readonly BarSeries[];
}

/** The plans with the most revenue have a series each, the others one together. */
export function revenueChart(
  rows: readonly RevenueRow[],
  labelOf: (plan: string) => string,
  others: string,
): RevenueChart {
  const months = [...new Set(rows.map(({ month }) => month))].toSorted();
  const plans = [...groupSums(rows, ({ plan }) => plan)].toSorted(([, left], [, right]) => right.net - left.net);
  const named = plans.slice(0, plans.length > maxSeries + 1 ? maxSeries : plans.length).map(([plan]) => plan);
  const valuesOf = (isPart: (plan: string) => boolean): number[] =>
    months.map(
      (month) =>
        rows.reduce((sum, row) => sum + (row.month === month && isPart(row.plan) ? centsOf(row.net) : 0), 0) / 100,
    );
  const series = named.map((plan) => ({ name: labelOf(plan), values: valuesOf((other) => other === plan) }));
  if (named.length === plans.length) return { months, series };
  return { months, series: [...series, { name: others, values: valuesOf((plan) => !named.includes(plan)) }] };
}

export interface RevenueSum {
  readonly net: number;
  readonly tax: number;
}

/** Returns sums in cents. */
export function groupSums(
  rows: readonly RevenueRow[],
  keyOf: (row: RevenueRow) => string,
): ReadonlyMap<string, RevenueSum> {
  const sums = new Map<string, RevenueSum>();
  for (const row of rows) {
    const { net, tax } = sums.get(keyOf(row)) ?? { net: 0, tax: 0 };
    sums.set(keyOf(row), { net: net + centsOf(row.net), tax: tax + centsOf(row.tax) });
  }
  return sums;
}

/** Amounts are whole cents, which a number holds exactly. */
function centsOf(amount: string): number {
  return Number(amount.replace('.', ''));
}

export function centsText(cents: number): string {
  return (cents / 100).toFixed(2);
}
