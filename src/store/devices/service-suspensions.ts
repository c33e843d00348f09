// Services that an operator suspended, with how they were before: that is what comes back with them.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';

export interface ServiceSuspensionTable {
  service_id: number;
  reason: string;
  operator: string;
  since: number;
  /** What was switched off, as JSON. */
  before: string;
}
export type ServiceSuspension = Selectable<ServiceSuspensionTable>;

export async function suspensionOfService(queries: Queries, service: number): Promise<ServiceSuspension | undefined> {
  return queries.selectFrom('service_suspensions').selectAll().where('service_id', '=', service).executeTakeFirst();
}

export async function serviceSuspensionPut(queries: Queries, suspension: ServiceSuspension): Promise<void> {
  const { service_id: _, ...changing } = suspension;
  await queries
    .insertInto('service_suspensions')
    .values(suspension)
    .onConflict((conflict) => conflict.column('service_id').doUpdateSet(changing))
    .execute();
}

export async function serviceSuspensionRemove(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('service_suspensions').where('service_id', '=', service).execute();
}
