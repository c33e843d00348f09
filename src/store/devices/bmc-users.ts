// Users that we create on BMCs, for customers or for console sessions. All others are the provider's own.
import type { Queries } from '../store.ts';
import type { BmcUserTable } from './tables.ts';

export async function bmcUserList(queries: Queries, server: string): Promise<BmcUserTable[]> {
  return queries.selectFrom('bmc_users').selectAll().where('server', '=', server).orderBy('name').execute();
}

/** Returns false if the name is taken. */
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

/** Moves a user whose removal failed behind the others. */
export async function bmcUserPostpone(queries: Queries, server: string, name: string, until: number): Promise<void> {
  await queries
    .updateTable('bmc_users')
    .set({ expires_at: until })
    .where('server', '=', server)
    .where('name', '=', name)
    .execute();
}
