// Software licences of services, and what each kind costs.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { LicenceStatus } from '#contract/shapes/software.ts';
import { ifChanged } from '../engine/if-changed.ts';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface LicenceTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  service_id: number;
  name: string;
  status: LicenceStatus;
  /** For a month, as it was when the licence was ordered. */
  price_cents: number;
  from_day: number;
  /** The first day on which it is over; null while nobody has cancelled it. */
  until_day: number | null;
  /** The first day that is not billed yet. */
  billed_until: number;
  /** Sealed; null until the provider has one. */
  licence_key: string | null;
  /** The order under way. */
  workflow_id: string;
  created_at: number;
}
export interface LicencePriceTable {
  name: string;
  price_cents: number;
}
export type Licence = Selectable<LicenceTable>;

export async function licencePriceList(queries: Queries): Promise<LicencePriceTable[]> {
  return queries.selectFrom('licence_prices').selectAll().orderBy('name').execute();
}

/** The list as the site file has it: what it leaves out is sold no more. */
export async function licencePricesPut(queries: Queries, prices: readonly LicencePriceTable[]): Promise<void> {
  let gone = queries.deleteFrom('licence_prices');
  const names = prices.map(({ name }) => name);
  if (names.length > 0) gone = gone.where('name', 'not in', names);
  await gone.execute();
  for (const { name, ...changing } of prices) {
    await queries
      .insertInto('licence_prices')
      .values({ name, ...changing })
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet(changing).where(ifChanged('licence_prices', changing)),
      )
      .execute();
  }
}

export async function licenceList(queries: Queries, account: AccountId, service: number): Promise<Licence[]> {
  return queries
    .selectFrom('licences')
    .selectAll()
    .where('account_id', '=', account)
    .where('service_id', '=', service)
    .where('status', '<>', 'Ended')
    .orderBy('id')
    .execute();
}

/** Undefined where the service has that licence already. */
export async function licenceInsert(queries: Queries, licence: Insertable<LicenceTable>): Promise<number | undefined> {
  const row = await queries
    .insertInto('licences')
    .values(licence)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function licenceFind(queries: Queries, account: AccountId, id: number): Promise<Licence | undefined> {
  return queries
    .selectFrom('licences')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The provider looks over all accounts: what waits for its key. */
export async function licencesPending(queries: Queries): Promise<Licence[]> {
  return queries.selectFrom('licences').selectAll().where('status', '=', 'Pending').orderBy('id').execute();
}

export async function licenceWorkflowSet(
  queries: Queries,
  account: AccountId,
  id: number,
  workflow: string,
): Promise<void> {
  await queries
    .updateTable('licences')
    .set({ workflow_id: workflow })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .execute();
}

const open = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .selectFrom('licences')
    .selectAll()
    .where('account_id', '=', values.account)
    .where('status', 'in', ['Pending', 'Active'])
    .orderBy('id'),
);
/** Of an account, what nobody has cancelled. */
export async function licencesOpen(queries: Queries, account: AccountId): Promise<Licence[]> {
  return open(queries, { account });
}

export async function licenceBilledSet(
  queries: Queries,
  account: AccountId,
  id: number,
  billedUntil: number,
): Promise<void> {
  await queries
    .updateTable('licences')
    .set({ billed_until: billedUntil })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .execute();
}

/** With the key that the provider has bought. False where the order waits no more. */
export async function licenceFulfil(queries: Queries, id: number, sealedKey: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('licences')
    .set({ status: 'Active', licence_key: sealedKey })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** As if it had not been fulfilled. */
export async function licenceTakeBack(queries: Queries, account: AccountId, id: number): Promise<void> {
  await queries
    .updateTable('licences')
    .set({ status: 'Pending', licence_key: null })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('status', '=', 'Active')
    .execute();
}

/** From the first day that it no longer counts. False where it is cancelled already. */
export async function licenceCancel(
  queries: Queries,
  account: AccountId,
  id: number,
  untilDay: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('licences')
    .set({ status: 'Cancelled', until_day: untilDay })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('status', 'in', ['Pending', 'Active'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function licencesEnd(queries: Queries, today: number): Promise<void> {
  await queries
    .updateTable('licences')
    .set({ status: 'Ended' })
    .where('status', '=', 'Cancelled')
    .where('until_day', '<=', today)
    .execute();
}
