// Records an observed power state with its source and time, and emits an event if it changed. The first observation of
// a device is not a change. Commands, queries and sync loops all observe it, and of two instances only one emits the
// event.
import { serviceOfServer } from '#store/devices/services.ts';
import { observePower, type PowerObservation } from '#store/devices/device-states.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/account-id.ts';
import { appendEvent, type AppendParts } from './append.ts';

/** Returns true if an event was emitted. */
export async function recordServerPower(
  parts: AppendParts,
  queries: Queries,
  server: string,
  seen: PowerObservation,
): Promise<boolean> {
  if (!(await observePower(queries, 'servers', { name: server }, seen))) return false;
  const service = await serviceOfServer(queries, server);
  if (service === undefined) return false;
  await emitPowerChange(parts, queries, { account: service.account_id, service: service.id }, seen);
  return true;
}

export async function recordMachinePower(
  parts: AppendParts,
  queries: Queries,
  owner: ServiceOwner,
  seen: PowerObservation,
): Promise<void> {
  if (await observePower(queries, 'machines', { service_id: owner.service }, seen))
    await emitPowerChange(parts, queries, owner, seen);
}

export interface ServiceOwner {
  readonly account: AccountId;
  readonly service: number;
}

async function emitPowerChange(
  parts: AppendParts,
  queries: Queries,
  { account, service }: ServiceOwner,
  { state, source }: PowerObservation,
): Promise<void> {
  await appendEvent(parts, queries, { account, service, type: 'device.power.changed', data: { state, source } });
}
