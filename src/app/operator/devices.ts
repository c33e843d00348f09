// Devices as operators see them: locked or under maintenance with a reason, and scanned for their hardware.
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { deviceOperator } from '#contract/operator/device.ts';
import type { Discovery, OperatorDevice } from '#contract/shapes/operator-service.ts';
import { missingCapability } from '#drivers/bmc/driver.ts';
import { conflict } from '#lib/api-error.ts';
import * as holds from '#store/devices/device-holds.ts';
import { machineName } from '#store/devices/machines.ts';
import * as store from '#store/operator/operator-devices.ts';
import { serverInventory, serverInventorySet, serverParts } from '#store/devices/servers.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { readInventory } from '#equipment/inventory.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import { findServer, serviceOfDevice, vmidOf } from './device-operations.ts';
import type { HoldKind } from '#store/devices/tables.ts';

export async function deviceList(
  { queries }: Context,
  { kind = 'server', limit = pageLength, after = '' }: InputOf<typeof deviceOperator.deviceList>,
  onlyServer?: string,
): Promise<Static<typeof OperatorDevice>[]> {
  const devices =
    kind === 'server'
      ? (await store.serverListAll(queries, after.toLowerCase(), limit, onlyServer)).map((row) => ({
          ...sharedFields(row.name, row),
          alias: row.alias ?? row.name,
          model: row.bmc_model,
          node: '',
          state: row.state,
        }))
      : (await store.machineListAll(queries, vmidOf(after) ?? 0, limit)).map((row) => ({
          ...sharedFields(machineName(row.vmid), row),
          alias: '',
          model: row.kind,
          node: row.node ?? '',
          state: 'assigned' as const,
        }));
  const names = devices.map(({ device }) => device);
  const holdsByDevice = Map.groupBy(await holds.deviceHoldsOf(queries, names), ({ device }) => device);
  const reason = (device: string, holdKind: HoldKind): string =>
    holdsByDevice.get(device)?.find((hold) => hold.kind === holdKind)?.reason ?? '';
  return devices.map((device) => ({
    ...device,
    locked: reason(device.device, 'locked'),
    maintenance: reason(device.device, 'maintenance'),
  }));
}

function sharedFields(device: string, row: DeviceRow) {
  return {
    device,
    service: row.service_id === null ? '' : String(row.service_id),
    account: row.account_id === null ? '' : String(row.account_id),
    power: row.power_error === null ? (row.power_state ?? ('unknown' as const)) : ('unknown' as const),
  };
}
type DeviceRow = Omit<
  Awaited<ReturnType<typeof store.serverListAll>>[number],
  'name' | 'alias' | 'bmc_model' | 'state'
>;

export async function deviceHold(context: Context, name: string, kind: HoldKind, reason: string): Promise<void> {
  const { queries, app, caller } = context;
  const { device, acting, service } = await findDevice(context, name);
  const since = app.clock.now();
  await holds.deviceHoldPut(queries, { device, kind, reason, operator: caller.operator!.name, since });
  await reconcilerSignal(queries, 'console-users');
  if (kind === 'maintenance') acting?.emit('device.maintenance.began', { reason }, service);
}

export async function deviceRelease(context: Context, name: string, kind: HoldKind): Promise<void> {
  const { device, acting, service } = await findDevice(context, name);
  if (!(await holds.deviceHoldRemove(context.queries, device, kind)))
    throw conflict(kind === 'locked' ? 'The device is not locked.' : 'The device is not under maintenance.');
  if (kind === 'maintenance') acting?.emit('device.maintenance.ended', {}, service);
}

/** Returns the device and, if a customer has it, a context that records what is done to it in that account's log too. */
async function findDevice(context: Context, name: string) {
  const device = name.toLowerCase();
  const service = await serviceOfDevice(context, device);
  if (service === undefined) await findServer(context, device);
  return { device, service: service?.id, acting: service && context.onBehalfOf(service.account_id) };
}

export async function deviceDiscover(
  context: Context,
  name: string,
  mode: 'store' | 'compare',
): Promise<Static<typeof Discovery>> {
  const { app, queries } = context;
  const device = name.toLowerCase();
  const row = await findServer(context, device);
  const storedParts = serverParts.decode(row.parts);
  const { parts, firmware } = await readInventory(app.bmcs, device, ({ commandMs }) =>
    commandTimeout(undefined, commandMs),
  );
  if (Object.keys({ ...parts, ...firmware }).length === 0) throw missingCapability('inventory');
  const changedParts = differencesOf(storedParts, parts);
  const recorded = row.inventory === null ? firmware : serverInventory.decode(row.inventory).firmware;
  const changedFirmware = differencesOf(toLists(recorded), toLists(firmware));
  const differences = [
    ...changedParts,
    ...changedFirmware.map(({ category, ...change }) => ({ category: `${category} firmware`, ...change })),
  ];
  const stored = mode === 'store' && differences.length > 0;
  if (mode === 'store') await serverInventorySet(queries, device, { parts, firmware, memoryMb: null });
  if (stored) {
    const changed = Object.fromEntries(changedParts.map(({ category, after }) => [category, after]));
    await store.serverPartsSet(queries, device, serverParts.encode({ ...storedParts, ...changed }));
  }
  return { device, stored, differences };
}

type Lists = Readonly<Record<string, readonly string[]>>;

function differencesOf(before: Lists, after: Lists): Static<typeof Discovery>['differences'] {
  return Object.entries(after)
    .filter(([category, texts]) => texts.length > 0 && !isDeepStrictEqual([...texts], before[category]))
    .map(([category, texts]) => ({ category, before: [...(before[category] ?? [])], after: [...texts] }));
}

function toLists(versions: Readonly<Record<string, string>>): Lists {
  return Object.fromEntries(Object.entries(versions).map(([component, version]) => [component, [version]]));
}
