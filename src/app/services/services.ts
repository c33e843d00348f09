// Finds an account's services by id, server name or vmid, and rejects changes that its state does not allow. Services of other
// accounts do not exist for the caller.
import { ApiError, conflict } from '#lib/api-error.ts';
import { timeText } from '#lib/time.ts';
import { deviceHolds } from '#store/devices/device-holds.ts';
import { machineDeletionFind } from '#store/devices/machine-deletions.ts';
import { machineName } from '#store/devices/machines.ts';
import {
  serviceFind,
  serviceFindByLegacyServer,
  serviceFindByServer,
  serviceFindByVmid,
  serviceRename,
  type Service,
} from '#store/devices/services.ts';
import type { HoldKind } from '#store/devices/tables.ts';
import type { AccountId } from '#store/account-id.ts';
import { getCurrentRights, getStaffPermissions } from '../account/authentication.ts';
import { serviceLock } from '#store/operator/operator-services.ts';
import { workflowsOfService } from '#store/work/workflows.ts';
import { startWorkflow } from '#workflows/engine/runner.ts';
import type { Workflow } from '#workflows/engine/workflow.ts';
import { serviceSuspend } from '#workflows/service/service-suspend.ts';
import { serviceTerminate } from '#workflows/service/service-terminate.ts';
import { dnsSettings, hostName } from '../dns/settings.ts';
import { emitForService } from '../events/events.ts';
import { isServiceVisible } from './limits.ts';
import { findStock, isStock, requireInStock } from './stock.ts';
import type { App, Context } from '../app.ts';

export async function serviceOf(context: Context, id: number): Promise<Service> {
  const { queries, caller, stock } = context;
  if (stock !== undefined) return requireInStock(queries, stock);
  return checkUsable(context, await serviceFind(queries, caller.account, id));
}

export async function serviceOfServer(context: Context, server: string): Promise<Service> {
  const { queries, caller, stock } = context;
  if (stock !== undefined) return requireInStock(queries, stock);
  return checkUsable(context, await serviceFindByServer(queries, caller.account, server));
}

export async function serviceOfLegacyServer(context: Context, server: string): Promise<Service> {
  const { queries, caller } = context;
  return checkUsable(context, await serviceFindByLegacyServer(queries, caller.account, server.toLowerCase()));
}

export async function serviceOfVmid(context: Context, vmid: number): Promise<Service> {
  return checkUsable(context, await serviceFindByVmid(context.queries, context.caller.account, vmid));
}

/** Staff may do anything, and everybody may read, except that of a terminated service only its history is left. */
async function checkUsable(context: Context, found: Service | undefined): Promise<Service> {
  const { changing, caller, readsHistory } = context;
  if (found === undefined || !isServiceVisible(caller.services, found.id)) throw new ApiError('not_found');
  if (caller.operator !== undefined) return found;
  if (found.status === 'Terminated' && readsHistory !== true) throw new ApiError('service_terminated');
  if (changing === undefined) return found;
  const service = await lockInTransaction(context, found);
  if (service.status === 'Suspended') throw await suspendedError(context, service);
  if (service.status === 'Terminated') throw new ApiError('service_terminated');
  await rejectAcceptedCommand(context, service);
  if (context.ignoresHold !== true) await rejectHeldDevice(context, service);
  return service;
}

async function suspendedError({ queries }: Context, { id }: Service): Promise<ApiError> {
  const deletion = await machineDeletionFind(queries, id);
  if (deletion === undefined) return new ApiError('service_suspended');
  const until = timeText(deletion.expires_at);
  return new ApiError('service_suspended', {
    message: `The machine is deleted. It can be restored until ${until} UTC.`,
  });
}

/** In a transaction, makes a suspension or termination that is being accepted wait for this change, or this change for it. */
async function lockInTransaction({ queries, app }: Context, service: Service): Promise<Service> {
  return queries === app.store.queries ? service : ((await serviceLock(queries, service.id)) ?? service);
}

/** A suspension or termination counts from when it was accepted, also while it waits for other work to end. */
async function rejectAcceptedCommand({ queries }: Context, { id }: Service): Promise<void> {
  const names = new Set((await workflowsOfService(queries, id)).map(({ name }) => name));
  if (names.has(serviceTerminate.name)) throw conflict('The service is being terminated.');
  if (names.has(serviceSuspend.name))
    throw new ApiError('service_suspended', { message: 'The service is being suspended, so it cannot be changed.' });
}

/** Starts work in the current transaction, unless the service has been restricted since the call began; for staff, unless it was
 * terminated, because its device may belong to another customer soon. */
export async function startServiceWork<Deps, Input extends object>(
  context: Context,
  service: Service,
  workflow: Workflow<Deps, Input, never>,
  input: Input,
): Promise<string> {
  const { id, account_id: account } = service;
  if (isStock(service)) await requireInStock(context.queries, service);
  else if (context.caller.operator === undefined) await checkUsable(context, service);
  else if ((await lockInTransaction(context, service)).status === 'Terminated')
    throw new ApiError('service_terminated');
  return startWorkflow(context.app, context.queries, workflow, {
    account,
    service: isStock(service) ? undefined : id,
    operation: context.operation,
    input,
  });
}

const holdLabels: Record<HoldKind, string> = { locked: 'locked', maintenance: 'under maintenance' };

/** Rejects a customer's change while the provider restricts the device. */
async function rejectHeldDevice({ queries }: Context, service: Service): Promise<void> {
  const device = deviceName(service);
  if (device === undefined) return;
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

export function requireMachine(service: Service): Service {
  if (isMachine(service)) return service;
  throw new ApiError('capability_missing', {
    message: 'This is only available for virtual machines; this service is a dedicated server.',
  });
}

export function normalizeHostname(hostname: string): string {
  return hostname.replace(/\.$/, '').toLowerCase();
}

/** Returns the canonical form of a name that a customer chooses. */
export async function allowedHostname({ queries }: Context, hostname: string): Promise<string> {
  return hostName(await dnsSettings(queries), 'hostname', hostname);
}

export async function renameService(context: Context, service: Service, hostname: string): Promise<void> {
  await context.app.store.transaction(async (queries) => {
    if (await serviceRename(queries, service.account_id, service.id, hostname))
      await emitForService({ ...context, queries }, service, 'device.hostname.changed', { hostname });
  });
}

export interface ConsoleViewer {
  readonly account_id: AccountId;
  readonly service_id: number;
  readonly key_id: number;
  readonly address: string;
}

/** Returns the service of a console, or the server in stock. */
export async function findViewedService(
  { store: { queries } }: App,
  { account_id, service_id }: Pick<ConsoleViewer, 'account_id' | 'service_id'>,
): Promise<Service | undefined> {
  return isStock({ id: service_id }) ? findStock(queries, service_id) : serviceFind(queries, account_id, service_id);
}

/**
 * Checked again while a console is open: the service must be active, its device not held, and the key still allowed to use
 * consoles.
 */
export async function canViewConsole(app: App, viewer: ConsoleViewer): Promise<boolean> {
  const { queries } = app.store;
  const service = await findViewedService(app, viewer);
  const device = service && deviceName(service);
  if (device === undefined) return false;
  // Staff can view what is suspended or held, but only what the same customer still has.
  if ((await getStaffPermissions(app, viewer.key_id, viewer.address)).has('operator:equipment')) return true;
  if (service?.status !== 'Active' || (await deviceHolds(queries, device)).length > 0) return false;
  const rights = await getCurrentRights(app, viewer.account_id, viewer.key_id, viewer.address);
  return rights.scopes.has('device:console') && isServiceVisible(rights.services, service.id);
}
