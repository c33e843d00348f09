// Devices that operators have restricted, with the reason that customers see.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { HoldKind, DeviceHoldTable } from './tables.ts';

export type DeviceHold = Selectable<DeviceHoldTable>;

export async function deviceHolds(queries: Queries, device: string): Promise<DeviceHold[]> {
  return queries.selectFrom('device_holds').selectAll().where('device', '=', device).orderBy('kind').execute();
}

export async function deviceHoldsOf(queries: Queries, devices: readonly string[]): Promise<DeviceHold[]> {
  if (devices.length === 0) return [];
  return queries.selectFrom('device_holds').selectAll().where('device', 'in', devices).orderBy('kind').execute();
}

export async function allDeviceHolds(queries: Queries): Promise<DeviceHold[]> {
  return queries.selectFrom('device_holds').selectAll().orderBy('device').orderBy('kind').execute();
}

export async function deviceHoldPut(queries: Queries, hold: DeviceHold): Promise<void> {
  await putRow(queries, 'device_holds', ['device', 'kind'], hold);
}

/** Returns false if there was none. */
export async function deviceHoldRemove(queries: Queries, device: string, kind: HoldKind): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'device_holds', { device, kind }).returning('device'));
}
