// Devices that the provider's staff hold back from customers' commands, with the reason that these are told.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';

export type HoldKind = 'locked' | 'maintenance';

export interface DeviceHoldTable {
  /** The name of a server, or of a machine on its node: the same as in `device_locks`. */
  device: string;
  kind: HoldKind;
  reason: string;
  operator: string;
  since: number;
}
export type DeviceHold = Selectable<DeviceHoldTable>;

export async function deviceHolds(queries: Queries, device: string): Promise<DeviceHold[]> {
  return queries.selectFrom('device_holds').selectAll().where('device', '=', device).orderBy('kind').execute();
}

/** Of several devices, what is told of each first. */
export async function deviceHoldsOf(queries: Queries, devices: readonly string[]): Promise<DeviceHold[]> {
  if (devices.length === 0) return [];
  return queries.selectFrom('device_holds').selectAll().where('device', 'in', devices).orderBy('kind').execute();
}

export async function allDeviceHolds(queries: Queries): Promise<DeviceHold[]> {
  return queries.selectFrom('device_holds').selectAll().orderBy('device').orderBy('kind').execute();
}

export async function deviceHoldPut(queries: Queries, hold: DeviceHold): Promise<void> {
  const { reason, operator, since } = hold;
  await queries
    .insertInto('device_holds')
    .values(hold)
    .onConflict((conflict) => conflict.columns(['device', 'kind']).doUpdateSet({ reason, operator, since }))
    .execute();
}

/** False where there was none. */
export async function deviceHoldRemove(queries: Queries, device: string, kind: HoldKind): Promise<boolean> {
  const row = await queries
    .deleteFrom('device_holds')
    .where('device', '=', device)
    .where('kind', '=', kind)
    .returning('device')
    .executeTakeFirst();
  return row !== undefined;
}
