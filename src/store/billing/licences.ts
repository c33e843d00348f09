// Software licences of services, and the prices of each kind.
import { sql, type Insertable, type Selectable } from 'kysely';
import { affectsRows, countRows, insertNew, replaceRows, selectWhere, updateWhere } from '../engine/rows.ts';
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
  await replaceRows(queries, 'licence_prices', 'name', prices);
}

export async function licenceList(queries: Queries, account: AccountId, service: number): Promise<Licence[]> {
  return selectWhere(queries, 'licences', { account_id: account, service_id: service })
    .selectAll()
    .where('status', '<>', 'Ended')
    .orderBy('id')
    .execute();
}

/** Returns undefined if the service has that licence already. */
export async function licenceInsert(queries: Queries, licence: Insertable<LicenceTable>): Promise<number | undefined> {
  return (await insertNew(queries, 'licences', licence).returning('id').executeTakeFirst())?.id;
}

export async function licenceFind(queries: Queries, account: AccountId, id: number): Promise<Licence | undefined> {
  return selectWhere(queries, 'licences', { account_id: account, id }).selectAll().executeTakeFirst();
}

/** Returns licences of all accounts that wait for their key, by id. */
export async function licencesPending(
  queries: Queries,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<Licence[]> {
  const pending = selectWhere(queries, 'licences', { status: 'Pending' }).selectAll().where('id', '>', after);
  return pending.orderBy('id').limit(limit).execute();
}

export async function licencesPendingCount(queries: Queries): Promise<number> {
  return countRows(selectWhere(queries, 'licences', { status: 'Pending' }));
}

/** Finds a licence of any account that waits for its key. */
export async function licencePendingFind(queries: Queries, id: number): Promise<Licence | undefined> {
  return selectWhere(queries, 'licences', { id, status: 'Pending' }).selectAll().executeTakeFirst();
}

export async function licenceUpdate(
  queries: Queries,
  account: AccountId,
  id: number,
  change: Partial<Pick<Licence, 'workflow_id' | 'billed_until'>>,
): Promise<void> {
  await updateWhere(queries, 'licences', { account_id: account, id }).set(change).execute();
}

const ofAccount = prepared((queries: Queries, values: { account: AccountId }) =>
  selectWhere(queries, 'licences', { account_id: values.account })
    .selectAll()
    // A literal, as in `invoicesOpen`.
    .where('status', '<>', sql.lit('Ended'))
    .orderBy('id'),
);
/** Returns the account's licences that have not ended. */
export async function licencesOfAccount(queries: Queries, account: AccountId): Promise<Licence[]> {
  return ofAccount(queries, { account });
}

/** Stores the key that the provider bought. Returns false if the order is no longer pending. */
export async function licenceFulfil(queries: Queries, id: number, sealedKey: string): Promise<boolean> {
  const fulfilment = { status: 'Active', licence_key: sealedKey } as const;
  return affectsRows(updateWhere(queries, 'licences', { id, status: 'Pending' }).set(fulfilment).returning('id'));
}

/** Undoes `licenceFulfil`. */
export async function licenceUnfulfil(queries: Queries, account: AccountId, id: number): Promise<void> {
  await updateWhere(queries, 'licences', { account_id: account, id, status: 'Active' })
    .set({ status: 'Pending', licence_key: null })
    .execute();
}

/** Ends an order that was never delivered, so that it can be placed again. Returns undefined if there is none. */
export async function licenceWithdraw(
  queries: Queries,
  account: AccountId,
  id: number,
  today: number,
): Promise<Licence | undefined> {
  const undelivered = updateWhere(queries, 'licences', { account_id: account, id, licence_key: null });
  const ended = undelivered.where('status', '<>', 'Ended').set({ status: 'Ended', until_day: today });
  return ended.returningAll().executeTakeFirst();
}

/** Cancels from the given day on. Returns false if it is cancelled already. */
export async function licenceCancel(
  queries: Queries,
  account: AccountId,
  id: number,
  untilDay: number,
): Promise<boolean> {
  const open = updateWhere(queries, 'licences', { account_id: account, id }).where('status', 'in', [
    'Pending',
    'Active',
  ]);
  return affectsRows(open.set({ status: 'Cancelled', until_day: untilDay }).returning('id'));
}

export async function licencesEnd(queries: Queries, today: number): Promise<void> {
  const cancelled = updateWhere(queries, 'licences', { status: 'Cancelled' });
  await cancelled.where('until_day', '<=', today).set({ status: 'Ended' }).execute();
}
