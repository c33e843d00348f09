// Users that we made on controllers, for customers or for a console session. All others are the provider's own.
import type { Queries } from './store.ts';

export interface BmcUserTable {
  server: string;
  name: string;
  service_id: number;
  kind: 'customer' | 'console';
  created_at: number;
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
