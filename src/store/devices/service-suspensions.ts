// Services that an operator suspended, with their previous state, which is restored when they resume.
import type { Selectable } from 'kysely';
import { Type } from 'typebox';
import { putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import type { ServiceSuspensionTable } from './tables.ts';

/** The state when the service was suspended: its power, and the ids of the switch ports that were up. */
export const stateBeforeSuspension = jsonColumn(
  'service_suspensions.before',
  Type.Object({
    power: Type.Union([Type.Literal('on'), Type.Literal('off')]),
    ports: Type.Array(Type.Integer()),
  }),
);

export type ServiceSuspension = Selectable<ServiceSuspensionTable>;

export async function suspensionOfService(queries: Queries, service: number): Promise<ServiceSuspension | undefined> {
  return queries.selectFrom('service_suspensions').selectAll().where('service_id', '=', service).executeTakeFirst();
}

export async function serviceSuspensionPut(queries: Queries, suspension: ServiceSuspension): Promise<void> {
  await putRow(queries, 'service_suspensions', ['service_id'], suspension);
}

export async function serviceSuspensionRemove(queries: Queries, service: number): Promise<void> {
  await queries.deleteFrom('service_suspensions').where('service_id', '=', service).execute();
}
