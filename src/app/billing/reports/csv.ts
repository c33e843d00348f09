// The reports as CSV files.
import type { InputOf } from '#contract/endpoint.ts';
import type { reportOperator } from '#contract/operator/report.ts';
import type { WholeFile } from '#contract/shapes/file.ts';
import { csvLine } from '#lib/csv.ts';
import { mapInSlices } from '#lib/slices.ts';
import type { Queries } from '#store/store.ts';
import { readPeriod } from './billed-invoices.ts';
import { paymentReport } from './payments.ts';
import { debtorRow, findDebtors } from './receivables.ts';
import { revenueReport } from './revenue.ts';
import { taxReport } from './taxes.ts';

type Input = InputOf<typeof reportOperator.reportCsv>;
type ReportName = Input['report'];
type Row = Readonly<Record<string, string>>;

/** Also the order of the columns. */
const columns: Readonly<Record<ReportName, readonly string[]>> = {
  revenue: ['month', 'plan', 'type', 'currency', 'net', 'tax', 'gross'],
  receivables: ['account', 'name', 'currency', 'current', 'days30', 'days60', 'days90', 'older', 'total'],
  taxes: ['country', 'category', 'rate', 'currency', 'invoices', 'base', 'tax'],
  payments: ['month', 'method', 'currency', 'payments', 'received', 'returned'],
};

export async function reportCsv(queries: Queries, { report, ...period }: Input): Promise<WholeFile> {
  const { untilDay } = readPeriod(period);
  const makers: Readonly<Record<ReportName, () => Promise<readonly Row[]>>> = {
    revenue: () => revenueReport(queries, period),
    receivables: async () => (await findDebtors(queries, untilDay)).map(debtorRow),
    taxes: () => taxReport(queries, period),
    payments: () => paymentReport(queries, period),
  };
  const names = columns[report];
  const lines = await mapInSlices(await makers[report](), (row) => csvLine(names.map((name) => row[name]!)));
  const dates = report === 'receivables' ? period.until : `${period.from}-${period.until}`;
  return { name: `${report}-${dates}.csv`, bytes: Buffer.from(csvLine(names) + lines.join('')) };
}
