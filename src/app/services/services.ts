// Finds an account's services by id, server name or vmid, and rejects changes that its state does not allow. Services of other
// accounts do not exist for the caller.
import { ApiError, conflict } from '#lib/api-error.ts';
import { deviceHolds } from '#store/devices/device-holds.ts';
import { machineName } from '#store/devices/machines.ts';
import {
  serviceFind,
  serviceFindByServer,
  serviceFindByVmid,
  serviceRename,
  type Service,
} from '#store/devices/services.ts';
import type { HoldKind } from '#store/devices/tables.ts';
import type { AccountId } from '#store/account-id.ts';
import { getCurrentScopes } from '../account/authentication.ts';
import { dnsSettings, hostName } from '../dns/settings.ts';
import { emitForService } from '../events/events.ts';
import type { App, Context } from '../app.ts';

export async function serviceOf(context: Context, id: number): Promise<Service> {
  return checkUsable(context, await serviceFind(context.queries, context.caller.account, id));
}

export async function serviceOfServer(context: Context, server: string): Promise<Service> {
  return checkUsable(context, await serviceFindByServer(context.queries, context.caller.account, server.toLowerCase()));
}

export async function serviceOfVmid(context: Context, vmid: number): Promise<Service> {
  return checkUsable(context, await serviceFindByVmid(context.queries, context.caller.account, vmid));
}

/** Reading is always allowed, and so is anything that the provider's staff do. */
async function checkUsable(context: Context, service: Service | undefined): Promise<Service> {
  if (service === undefined) throw new ApiError('not_found');
  const { changing, caller } = context;
  if (changing === undefined || caller.operator !== undefined) return service;
  if (service.status === 'Suspended') throw new ApiError('service_suspended');
  if (service.status === 'Terminated') throw conflict('The service is terminated.');
  // A held device does not prevent changes elsewhere, such as reverse DNS.
  if (changing.startsWith('device:')) await rejectHeldDevice(context, service);
  return service;
}

const holdLabels: Record<HoldKind, string> = { locked: 'locked', maintenance: 'under maintenance' };

/** Rejects a customer's change while the provider restricts the device. */
export async function rejectHeldDevice({ queries, caller }: Context, service: Service): Promise<void> {
  const device = deviceName(service);
  if (device === undefined || caller.operator !== undefined) return;
  const [hold] = await deviceHolds(queries, device);
  if (hold !== undefined)
    throw new ApiError('device_held', { message: `The device is ${holdLabels[hold.kind]}: ${hold.reason}` });
}

/** Returns the name under which a service's device is locked and held, or undefined if it has none any more. */
export function deviceName({ server, vmid }: Pick<Service, 'server' | 'vmid'>): string | undefined {
  return server ?? (vmid === null ? undefined : machineName(vmid));
}

/** Tells a virtual machine from a dedicated server. */
export function isMachine(service: Service): boolean {
  return service.type !== 'dedicated';
}

export function normalizeHostname(hostname: string): string {
  return hostname.replace(/\.$/, '').toLowerCase();
}

/** Returns the canonical form of a name that a customer chooses. */
export async function allowedHostname({ queries }: Context, hostname: string): Promise<string> {
  return hostName(await dnsSettings(queries), 'hostname', hostname);
}

export async function renameService(context: Context, service: Service, hostname: string): Promise<void> {
  if (hostname === service.hostname) return;
  await context.app.store.transaction(async (queries) => {
    await serviceRename(queries, service.account_id, service.id, hostname);
    await emitForService({ ...context, queries }, service, 'device.hostname.changed', { hostname });
  });
}

export interface ConsoleViewer {
  readonly account_id: AccountId;
  readonly service_id: number;
  readonly key_id: number;
  readonly address: string;
}

/**
 * Checked again while a console is open: the service must be active, its device not held, and the key still allowed to use
 * consoles.
 */
export async function canViewConsole(app: App, viewer: ConsoleViewer): Promise<boolean> {
  const { queries } = app.store;
  const service = await serviceFind(queries, viewer.account_id, viewer.service_id);
  if (service?.status !== 'Active') return false;
  const device = deviceName(service);
  if (device === undefined || (await deviceHolds(queries, device)).length > 0) return false;
  return (await getCurrentScopes(app, viewer.account_id, viewer.key_id, viewer.address)).has('device:console');
}
