// Users that we made on controllers, for customers or for a console session. All others are the provider's own.
import type { Queries } from '../store.ts';

export interface BmcUserTable {
  server: string;
  name: string;
  service_id: number;
  kind: 'customer' | 'console';
  created_at: number;
  /** When a console session is over at the latest; null for a customer's own. */
  expires_at: number | null;
}

export async function bmcUserList(queries: Queries, server: string): Promise<BmcUserTable[]> {
  return queries.selectFrom('bmc_users').selectAll().where('server', '=', server).orderBy('name').execute();
}

/** False where there is one of this name already. */
export async function bmcUserInsert(queries: Queries, user: BmcUserTable): Promise<boolean> {
  const row = await queries
    .insertInto('bmc_users')
    .values(user)
    .onConflict((conflict) => conflict.columns(['server', 'name']).doNothing())
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

export async function bmcUserRemove(queries: Queries, server: string, name: string): Promise<void> {
  await queries.deleteFrom('bmc_users').where('server', '=', server).where('name', '=', name).execute();
}

export async function bmcUsersExpired(queries: Queries, now: number): Promise<BmcUserTable[]> {
  return queries
    .selectFrom('bmc_users')
    .selectAll()
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(100)
    .execute();
}

/** A removal that failed is tried again later, behind the others. */
export async function bmcUserPostpone(queries: Queries, server: string, name: string, until: number): Promise<void> {
  await queries
    .updateTable('bmc_users')
    .set({ expires_at: until })
    .where('server', '=', server)
    .where('name', '=', name)
    .execute();
}
