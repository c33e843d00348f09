// Account statements for customers and staff: opening balance, bookings and closing balance of a period.
import type { Static } from 'typebox';
import type { WholeFile } from '#contract/shapes/file.ts';
import type { Statement } from '#contract/shapes/statement.ts';
import { conflict, invalid, requireFound } from '#lib/api-error.ts';
import { csvLine } from '#lib/csv.ts';
import { moneyText } from '#lib/money.ts';
import { dayMs, dayNumberText, dayText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind } from '#store/account/accounts.ts';
import { ledgerBetween, owedBefore } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import { renderInThread } from '../documents/render-in-thread.ts';
import { currentParties } from '../invoice-parties.ts';
import { requireDay, type ReportPeriod } from '../reports/billed-invoices.ts';
import { buildStatement } from './build.ts';
import type { StatementDocument } from './statement-pdf.ts';

const maxDays = 3700;
/** Each invoice and payment has a few. As many as the server adds up and writes within some twenty milliseconds. */
const maxEntries = 5000;

export async function getStatement(
  queries: Queries,
  account: AccountId,
  period: ReportPeriod,
): Promise<Static<typeof Statement>> {
  const statement = await loadStatement(queries, account, period);
  return {
    account: String(account),
    currency: statement.currency,
    from: dayNumberText(statement.fromDay),
    until: dayNumberText(statement.lastDay),
    opening: moneyText(statement.openingCents),
    lines: statement.lines.map(({ at, kind, reference, cents, balanceCents }) => ({
      date: dayText(at),
      kind,
      reference,
      amount: moneyText(cents),
      balance: moneyText(balanceCents),
    })),
    charged: moneyText(statement.chargedCents),
    settled: moneyText(statement.settledCents),
    closing: moneyText(statement.closingCents),
  };
}

export async function getStatementPdf(queries: Queries, account: AccountId, period: ReportPeriod): Promise<WholeFile> {
  const statement = await loadStatement(queries, account, period);
  const { bytes } = await renderInThread(account, { kind: 'statement', statement });
  return { name: fileName(account, period, 'pdf'), bytes };
}

export async function getStatementCsv(queries: Queries, account: AccountId, period: ReportPeriod): Promise<WholeFile> {
  const text = csvOf(await getStatement(queries, account, period));
  return { name: fileName(account, period, 'csv'), bytes: Buffer.from(text) };
}

function fileName(account: AccountId, { from, until }: ReportPeriod, ending: string): string {
  return `statement-${account}-${from}-${until}.${ending}`;
}

async function loadStatement(queries: Queries, account: AccountId, period: ReportPeriod): Promise<StatementDocument> {
  const { fromDay, lastDay } = readPeriod(period);
  const { currency } = requireFound(await accountFind(queries, account));
  const [from, until] = [fromDay * dayMs, (lastDay + 1) * dayMs];
  const openingCents = await owedBefore(queries, account, from);
  const entries = await ledgerBetween(queries, account, { from, until, limit: maxEntries + 1 });
  if (entries.length > maxEntries) throw conflict('There are too many entries in this period. Choose a shorter one.');
  const parties = await currentParties(queries, account);
  return { account, currency, ...parties, fromDay, lastDay, openingCents, ...buildStatement(openingCents, entries) };
}

function readPeriod({ from, until }: ReportPeriod): { readonly fromDay: number; readonly lastDay: number } {
  const [fromDay, lastDay] = [requireDay('from', from), requireDay('until', until)];
  if (lastDay < fromDay) throw invalid({ until: 'must not be before from' });
  if (lastDay - fromDay >= maxDays) throw invalid({ until: 'must be within ten years of from' });
  return { fromDay, lastDay };
}

function csvOf({ from, until, opening, lines, closing, currency }: Static<typeof Statement>): string {
  const rows = [
    ['date', 'kind', 'reference', 'amount', 'balance', 'currency'],
    [from, 'opening balance', '', '', opening, currency],
    ...lines.map(({ date, kind, reference, amount, balance }) => [date, kind, reference, amount, balance, currency]),
    [until, 'closing balance', '', '', closing, currency],
  ];
  return rows.map(csvLine).join('');
}
