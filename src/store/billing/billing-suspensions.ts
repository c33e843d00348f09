// Accounts suspended for non-payment, with the services that were suspended with them and that resume when it is
// lifted.
import { Type } from 'typebox';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';

/** Ids of the services that were suspended. */
export const suspendedServices = jsonColumn('billing_suspensions.services', Type.Array(Type.Integer()));

export async function suspensionFind(queries: Queries, account: AccountId): Promise<readonly number[] | undefined> {
  const ofAccount = selectWhere(queries, 'billing_suspensions', { account_id: account });
  const row = await ofAccount.select('services').executeTakeFirst();
  return row === undefined ? undefined : suspendedServices.decode(row.services);
}

export async function suspensionInsert(
  queries: Queries,
  account: AccountId,
  since: number,
  services: readonly number[],
): Promise<void> {
  const row = { account_id: account, since, services: suspendedServices.encode(services) };
  await queries.insertInto('billing_suspensions').values(row).execute();
}

export async function suspensionRemove(queries: Queries, account: AccountId): Promise<void> {
  await queries.deleteFrom('billing_suspensions').where('account_id', '=', account).execute();
}
