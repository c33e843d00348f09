// What customers have: dedicated servers, virtual private servers, cloud machines.
import type { Selectable } from 'kysely';
import type { Queries } from './store.ts';
import type { AccountId, ServiceTable } from './tables.ts';

export type Service = Selectable<ServiceTable>;

export async function serviceFind(queries: Queries, account: AccountId, id: number): Promise<Service | undefined> {
  return queries
    .selectFrom('services')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function servicePut(queries: Queries, service: Service): Promise<void> {
  const { id, created_at, ...changing } = service;
  await queries
    .insertInto('services')
    .values({ id, created_at, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
}
