// Charges by billed days. The primary key (account, period, kind, subject, first day) makes double billing
// impossible, whoever tries and whatever the clock says.
import type { Insertable, Selectable } from 'kysely';
import { preparedRows } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ChargeTable } from './tables.ts';

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

/** Returns the charges of the run before the period that starts on this day. */
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
