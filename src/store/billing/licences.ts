// Software licences of services, and the prices of each kind.
import type { Insertable, Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { LicenceTable, LicencePriceTable } from './tables.ts';

export type Licence = Selectable<LicenceTable>;

export async function licencePriceList(queries: Queries): Promise<LicencePriceTable[]> {
  return queries.selectFrom('licence_prices').selectAll().orderBy('name').execute();
}

/** Replaces the price list with the site file's; licences it omits are no longer sold. */
export async function licencePricesPut(queries: Queries, prices: readonly LicencePriceTable[]): Promise<void> {
  let deletion = queries.deleteFrom('licence_prices');
  const names = prices.map(({ name }) => name);
  if (names.length > 0) deletion = deletion.where('name', 'not in', names);
  await deletion.execute();
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

/** Returns undefined if the service has that licence already. */
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

/** Returns licences of all accounts that wait for their key. */
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
/** Returns the account's licences that are not cancelled. */
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

/** Stores the key that the provider bought. Returns false if the order is no longer pending. */
export async function licenceFulfil(queries: Queries, id: number, sealedKey: string): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('licences')
    .set({ status: 'Active', licence_key: sealedKey })
    .where('id', '=', id)
    .where('status', '=', 'Pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Undoes `licenceFulfil`. */
export async function licenceUnfulfil(queries: Queries, account: AccountId, id: number): Promise<void> {
  await queries
    .updateTable('licences')
    .set({ status: 'Pending', licence_key: null })
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('status', '=', 'Active')
    .execute();
}

/** Cancels from the given day on. Returns false if it is cancelled already. */
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
