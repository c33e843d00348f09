// Devices as operators see them: locked or under maintenance with a reason, and scanned for their hardware.
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { Discovery, OperatorDevice } from '#contract/shapes/operator-service.ts';
import { requireCapability } from '#drivers/bmc/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import * as holds from '#store/devices/device-holds.ts';
import { machineName } from '#store/devices/machines.ts';
import * as store from '#store/operator/operator-devices.ts';
import { serverFind, serverParts } from '#store/devices/servers.ts';
import { serviceOfServer } from '#store/devices/services.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import type { HoldKind } from '#store/devices/tables.ts';
import type { AccountId } from '#store/account-id.ts';

export interface DeviceFilter {
  readonly kind?: 'server' | 'machine';
  readonly limit?: number;
  readonly after?: string;
}

export async function deviceList(
  { queries }: Context,
  { kind = 'server', limit = pageLength, after = '' }: DeviceFilter,
): Promise<Static<typeof OperatorDevice>[]> {
  const holdsByDevice = Map.groupBy(await holds.allDeviceHolds(queries), ({ device }) => device);
  const reason = (device: string, holdKind: HoldKind): string =>
    holdsByDevice.get(device)?.find((hold) => hold.kind === holdKind)?.reason ?? '';
  const sharedFields = (device: string, row: DeviceRow) => ({
    device,
    service: row.service_id === null ? '' : String(row.service_id),
    account: row.account_id === null ? '' : String(row.account_id),
    power: row.power_error === null ? (row.power_state ?? ('unknown' as const)) : ('unknown' as const),
    locked: reason(device, 'locked'),
    maintenance: reason(device, 'maintenance'),
  });
  if (kind === 'server')
    return (await store.serverListAll(queries, after.toLowerCase(), limit)).map((row) => ({
      ...sharedFields(row.name, row),
      model: row.bmc_model,
      node: '',
    }));
  return (await store.machineListAll(queries, vmidOf(after) ?? 0, limit)).map((row) => ({
    ...sharedFields(machineName(row.vmid), row),
    model: row.kind,
    node: row.node ?? '',
  }));
}
interface DeviceRow {
  readonly service_id: number | null;
  readonly account_id: AccountId | null;
  readonly power_state: 'on' | 'off' | null;
  readonly power_error: string | null;
}

export async function deviceHold(context: Context, name: string, kind: HoldKind, reason: string): Promise<void> {
  const { queries, app, caller } = context;
  const { device, acting, service } = await findDevice(context, name);
  const since = app.clock.now();
  await holds.deviceHoldPut(queries, { device, kind, reason, operator: caller.operator!.name, since });
  if (kind === 'maintenance') acting?.emit('device.maintenance.began', { reason }, service);
}

export async function deviceRelease(context: Context, name: string, kind: HoldKind): Promise<void> {
  const { device, acting, service } = await findDevice(context, name);
  if (!(await holds.deviceHoldRemove(context.queries, device, kind)))
    throw new ApiError('state_conflict', {
      message: kind === 'locked' ? 'The device is not locked.' : 'The device is not under maintenance.',
    });
  if (kind === 'maintenance') acting?.emit('device.maintenance.ended', {}, service);
}

/**
 * Returns the device and, if a customer has it, a context that records what is done to it in that account's log too.
 */
async function findDevice(context: Context, name: string) {
  const { queries } = context;
  const device = name.toLowerCase();
  const vmid = vmidOf(device);
  const machine = vmid === undefined ? undefined : await store.machineOfVmid(queries, vmid);
  if (machine !== undefined)
    return { device, service: machine.service_id, acting: context.onBehalfOf(machine.account_id) };
  await getServer(context, device);
  const service = await serviceOfServer(queries, device);
  return { device, service: service?.id, acting: service && context.onBehalfOf(service.account_id) };
}

async function getServer({ queries }: Context, name: string) {
  const server = await serverFind(queries, name);
  if (server === undefined || server.removed_at !== null)
    throw new ApiError('not_found', { message: 'Device not found.' });
  return server;
}

function vmidOf(device: string): number | undefined {
  const digits = /^vm-([0-9]{1,15})$/.exec(device)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

export async function deviceDiscover(
  context: Context,
  name: string,
  mode: 'store' | 'compare',
): Promise<Static<typeof Discovery>> {
  const { app, queries } = context;
  const device = name.toLowerCase();
  const before = serverParts.decode((await getServer(context, device)).parts);
  const inventory = await app.bmcs.use(device, (bmc) => requireCapability(bmc, 'inventory').read(commandTimeout()));
  const differences = Object.entries(inventory)
    .filter(([category, texts]) => texts.length > 0 && !isDeepStrictEqual([...texts], before[category]))
    .map(([category, texts]) => ({ category, before: [...(before[category] ?? [])], after: [...texts] }));
  const stored = mode === 'store' && differences.length > 0;
  if (stored) {
    const changed = Object.fromEntries(differences.map(({ category, after }) => [category, after]));
    await store.serverPartsSet(queries, device, serverParts.encode({ ...before, ...changed }));
  }
  return { device, stored, differences };
}
