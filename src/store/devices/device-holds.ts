// Devices that operators have restricted, with the reason that customers see.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { HoldKind, DeviceHoldTable } from './tables.ts';

export type DeviceHold = Selectable<DeviceHoldTable>;

export async function deviceHolds(queries: Queries, device: string): Promise<DeviceHold[]> {
  return queries.selectFrom('device_holds').selectAll().where('device', '=', device).orderBy('kind').execute();
}

/** Returns the restriction to show for each of the devices. */
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

/** Returns false if there was none. */
export async function deviceHoldRemove(queries: Queries, device: string, kind: HoldKind): Promise<boolean> {
  const row = await queries
    .deleteFrom('device_holds')
    .where('device', '=', device)
    .where('kind', '=', kind)
    .returning('device')
    .executeTakeFirst();
  return row !== undefined;
}
