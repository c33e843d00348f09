// What was billed of what for which days. The key is what makes a second bill for the same impossible, whoever tries and
// whatever the clock says: one row per account, period, kind, subject and first day.
import type { Insertable, Selectable } from 'kysely';
import type { LineType } from '#contract/shapes/account.ts';
import { preparedRows } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface ChargeTable {
  account_id: AccountId;
  /** The beginning of the account's period in whose run it was billed. */
  period_day: number;
  kind: LineType;
  /** What it is for: `term 12`, `license 7`. */
  subject: string;
  from_day: number;
  until_day: number;
  amount_cents: number;
  invoice_id: number;
}
export type Charge = Selectable<ChargeTable>;
export type NewCharge = Omit<Insertable<ChargeTable>, 'account_id' | 'period_day' | 'invoice_id'>;

const insert = preparedRows((queries: Queries, charges: readonly Insertable<ChargeTable>[]) =>
  queries.insertInto('charges').values(
    charges.map(({ account_id, period_day, kind, subject, from_day, until_day, amount_cents, invoice_id }) => ({
      account_id,
      period_day,
      kind,
      subject,
      from_day,
      until_day,
      amount_cents,
      invoice_id,
    })),
  ),
);
export async function chargesInsert(
  queries: Queries,
  account: AccountId,
  periodDay: number,
  invoice: number,
  charges: readonly NewCharge[],
): Promise<void> {
  if (charges.length === 0) return;
  const owner = { account_id: account, period_day: periodDay, invoice_id: invoice };
  await insert(
    queries,
    charges.map((charge) => ({ ...charge, ...owner })),
  );
}

/** Of the run before that of the period that begins on this day. */
export async function chargesBefore(queries: Queries, account: AccountId, periodDay: number): Promise<Charge[]> {
  const last = queries
    .selectFrom('charges')
    .select((select) => select.fn.max('period_day').as('day'))
    .where('account_id', '=', account)
    .where('period_day', '<', periodDay);
  return queries
    .selectFrom('charges')
    .selectAll()
    .where('account_id', '=', account)
    .where('period_day', '=', last)
    .execute();
}
