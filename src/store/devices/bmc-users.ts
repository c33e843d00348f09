// Users that we create on BMCs, for customers or for console sessions. All others are the provider's own.
import { sql, type Insertable, type Selectable } from 'kysely';
import { affectsRows, insertNew, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { BmcUserTable } from './tables.ts';

export type BmcUser = Selectable<BmcUserTable>;

export async function bmcUserList(queries: Queries, server: string): Promise<BmcUser[]> {
  return queries.selectFrom('bmc_users').selectAll().where('server', '=', server).orderBy('name').execute();
}

/** Returns false if the name is taken. */
export async function bmcUserInsert(queries: Queries, user: Insertable<BmcUserTable>): Promise<boolean> {
  return affectsRows(insertNew(queries, 'bmc_users', user, ['server', 'name']).returning('name'));
}

export async function bmcUserRemove(queries: Queries, server: string, name: string): Promise<void> {
  await queries.deleteFrom('bmc_users').where('server', '=', server).where('name', '=', name).execute();
}

/** Returns users of console sessions that are over: expired, or no longer allowed because of the service or the device. */
export async function consoleUsersEnded(queries: Queries, now: number): Promise<BmcUser[]> {
  return queries
    .selectFrom('bmc_users')
    .selectAll()
    .where('kind', '=', 'console')
    .where(({ or, not, exists, eb, selectFrom }) =>
      or([
        eb('expires_at', '<=', now),
        not(exists(activeService(queries))),
        exists(selectFrom('device_holds').select('kind').whereRef('device', '=', 'bmc_users.server')),
      ]),
    )
    .orderBy('expires_at')
    .limit(100)
    .execute();
}

/** Sets when a user is removed, or removed again if that failed. */
export async function bmcUserExpirySet(queries: Queries, server: string, name: string, at: number): Promise<void> {
  await updateWhere(queries, 'bmc_users', { server, name }).set({ expires_at: at }).execute();
}

export async function bmcUsersRemoveOf(queries: Queries, server: string): Promise<void> {
  await queries.deleteFrom('bmc_users').where('server', '=', server).execute();
}

/** Null while it is being changed, so that a change whose outcome is unknown is repeated. */
export async function bmcUserEnabledSet(
  queries: Queries,
  server: string,
  name: string,
  isEnabled: boolean | null,
): Promise<void> {
  const enabled = isEnabled === null ? null : Number(isEnabled);
  await updateWhere(queries, 'bmc_users', { server, name }).set({ enabled }).execute();
}

/** Customers use their BMC users only while both the service and the account are active. */
export async function isBmcAccessAllowed(queries: Queries, service: number): Promise<boolean> {
  const row = await activeServices(queries).where('services.id', '=', service).executeTakeFirst();
  return row !== undefined;
}

/** Returns where customers' users are enabled although they must not be, the other way round, or in an unknown state. */
export async function bmcAccessToSet(queries: Queries): Promise<Pick<BmcUser, 'server' | 'service_id'>[]> {
  return queries
    .selectFrom('bmc_users')
    .select(['server', 'service_id'])
    .distinct()
    .where('kind', '=', 'customer')
    .where(({ or, and, not, eb, exists }) => {
      const isAllowed = exists(activeService(queries));
      return or([
        eb('enabled', 'is', null),
        and([eb('enabled', '=', 1), not(isAllowed)]),
        and([eb('enabled', '=', 0), isAllowed]),
      ]);
    })
    .execute();
}

/** The service of a user, if it is active. */
function activeService(queries: Queries) {
  return activeServices(queries).where('services.id', '=', sql.ref<number>('bmc_users.service_id'));
}

function activeServices(queries: Queries) {
  return queries
    .selectFrom('services')
    .innerJoin('accounts', 'accounts.id', 'services.account_id')
    .select('services.id')
    .where('services.status', '=', 'Active')
    .where('accounts.status', '=', 'Active');
}
