// Devices as the provider's staff see them: held back from customers with a reason, and looked into.
import { isDeepStrictEqual } from 'node:util';
import type { Static } from 'typebox';
import type { Discovery, OperatorDevice } from '#contract/shapes/operator-service.ts';
import { need } from '#drivers/bmc/driver.ts';
import { Fault } from '#kernel/fault.ts';
import * as holds from '#store/devices/device-holds.ts';
import type { HoldKind } from '#store/devices/device-holds.ts';
import { machineName } from '#store/devices/machines.ts';
import * as store from '#store/operator/operator-devices.ts';
import { serverFind } from '#store/devices/servers.ts';
import { serviceOfServer } from '#store/devices/services.ts';
import type { AccountId } from '#store/tables.ts';
import { commandLimit } from '../services/command-limit.ts';
import type { Context } from '../yard.ts';
import { pageLength } from './accounts.ts';

export interface DeviceFilter {
  readonly kind?: 'server' | 'machine';
  readonly limit?: number;
  readonly after?: string;
}

export async function deviceList(
  { queries }: Context,
  { kind = 'server', limit = pageLength, after = '' }: DeviceFilter,
): Promise<Static<typeof OperatorDevice>[]> {
  const all = Map.groupBy(await holds.allDeviceHolds(queries), ({ device }) => device);
  const reason = (device: string, wanted: HoldKind): string =>
    all.get(device)?.find((hold) => hold.kind === wanted)?.reason ?? '';
  const shown = (device: string, row: Seen) => ({
    device,
    service: row.service_id === null ? '' : String(row.service_id),
    account: row.account_id === null ? '' : String(row.account_id),
    power: row.power_error === null ? (row.power_state ?? ('unknown' as const)) : ('unknown' as const),
    locked: reason(device, 'locked'),
    maintenance: reason(device, 'maintenance'),
  });
  if (kind === 'server')
    return (await store.serversListed(queries, after.toLowerCase(), limit)).map((row) => ({
      ...shown(row.name, row),
      model: row.bmc_model,
      node: '',
    }));
  return (await store.machinesListed(queries, vmidOf(after) ?? 0, limit)).map((row) => ({
    ...shown(machineName(row.vmid), row),
    model: row.kind,
    node: row.node ?? '',
  }));
}
interface Seen {
  readonly service_id: number | null;
  readonly account_id: AccountId | null;
  readonly power_state: 'on' | 'off' | null;
  readonly power_error: string | null;
}

export async function deviceHold(context: Context, given: string, kind: HoldKind, reason: string): Promise<void> {
  const { queries, yard, caller } = context;
  const { device, acting, service } = await deviceFound(context, given);
  const since = yard.clock.now();
  await holds.deviceHoldPut(queries, { device, kind, reason, operator: caller.operator!.name, since });
  if (kind === 'maintenance') acting?.tell('device.maintenance.began', { reason }, service);
}

export async function deviceRelease(context: Context, given: string, kind: HoldKind): Promise<void> {
  const { device, acting, service } = await deviceFound(context, given);
  if (!(await holds.deviceHoldRemove(context.queries, device, kind)))
    throw new Fault('state_conflict', {
      message: kind === 'locked' ? 'It is not locked.' : 'It is not under maintenance.',
    });
  if (kind === 'maintenance') acting?.tell('device.maintenance.ended', {}, service);
}

/** The device, and the account that has it, if any: what is done to it stands in that account's log. */
async function deviceFound(context: Context, given: string) {
  const { queries } = context;
  const device = given.toLowerCase();
  const vmid = vmidOf(device);
  const machine = vmid === undefined ? undefined : await store.machineOfVmid(queries, vmid);
  if (machine !== undefined) return { device, service: machine.service_id, acting: context.actFor(machine.account_id) };
  await serverFound(context, device);
  const service = await serviceOfServer(queries, device);
  return { device, service: service?.id, acting: service && context.actFor(service.account_id) };
}

async function serverFound({ queries }: Context, name: string) {
  const server = await serverFind(queries, name);
  if (server === undefined || server.removed_at !== null)
    throw new Fault('not_found', { message: 'There is no such device.' });
  return server;
}

function vmidOf(device: string): number | undefined {
  const digits = /^vm-([0-9]{1,15})$/.exec(device)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

type Parts = Readonly<Record<string, readonly string[]>>;

export async function deviceDiscover(
  context: Context,
  given: string,
  keeping: 'store' | 'compare',
): Promise<Static<typeof Discovery>> {
  const { yard, queries } = context;
  const device = given.toLowerCase();
  const before = JSON.parse((await serverFound(context, device)).parts) as Parts;
  const found = await yard.bmcs.use(device, (bmc) => need(bmc, 'inventory').read(commandLimit()));
  const differences = Object.entries(found)
    .filter(([category, texts]) => texts.length > 0 && !isDeepStrictEqual([...texts], before[category]))
    .map(([category, texts]) => ({ category, before: [...(before[category] ?? [])], after: [...texts] }));
  const stored = keeping === 'store' && differences.length > 0;
  if (stored) {
    const changed = Object.fromEntries(differences.map(({ category, after }) => [category, after]));
    await store.serverPartsSet(queries, device, JSON.stringify({ ...before, ...changed }));
  }
  return { device, stored, differences };
}
