// Devices: what an account has, by the number of its service or the name of its server. Whatever is not the caller's is not
// there at all.
import type { Static } from 'typebox';
import type { Device, Hardware, ServiceType } from '#contract/shapes/device.ts';
import { Fault } from '#kernel/fault.ts';
import { serverFind } from '#store/servers.ts';
import * as store from '#store/services.ts';
import type { Service } from '#store/services.ts';
import { need, type Bmc } from '#drivers/bmc/driver.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import { tellOf } from '../events/events.ts';
import { linkStatus, livePorts } from '../network/ports.ts';
import type { Context } from '../yard.ts';
import { refuseHeld } from './holds.ts';

/** A BMC that does not answer is given up in time for an answer within ten seconds. */
export const commandMs = 8000;

export async function deviceList(
  context: Context,
  filter: { type?: ServiceType; service?: number },
): Promise<Static<typeof Device>[]> {
  const { queries, caller } = context;
  if (filter.service === undefined) return (await store.serviceList(queries, caller.account, filter.type)).map(shown);
  const service = await serviceOf(context, filter.service);
  return filter.type === undefined || filter.type === service.type ? [shown(service)] : [];
}

export async function deviceType(context: Context, id: number): Promise<ServiceType> {
  return (await serviceOf(context, id)).type;
}

export async function deviceRename(context: Context, service: Service, hostname: string): Promise<void> {
  const wanted = hostname.replace(/\.$/, '').toLowerCase();
  if (wanted === service.hostname) return;
  await context.yard.store.transaction(async (queries) => {
    await store.serviceRename(queries, service.account_id, service.id, wanted);
    await tellOf({ ...context, queries }, service, 'device.hostname.changed', { hostname: wanted });
  });
}

/** What the provider wrote down of a server, and for the rest what its controller says of itself. */
export async function deviceHardware(context: Context, service: Service): Promise<Static<typeof Hardware>> {
  const server = serverOf(service);
  const described = JSON.parse((await serverFind(context.queries, server))?.parts ?? '{}') as Record<string, string[]>;
  const own = await inventoryOf(context, server);
  const parts: Record<string, string[]> = Object.fromEntries(hardwareCategories.map((category) => [category, []]));
  for (const [category, texts] of Object.entries(own)) if (texts.length > 0) parts[category] = [...texts];
  for (const [category, texts] of Object.entries(described)) if (texts.length > 0) parts[category] = texts;
  return { parts, ports: await portStates(context, service) };
}

/** A controller that keeps no inventory leaves it to the provider's description. */
async function inventoryOf(context: Context, server: string): Promise<Readonly<Record<string, readonly string[]>>> {
  try {
    return await context.yard.bmcs.use(server, (bmc) => need(bmc, 'inventory').read(commandLimit()));
  } catch (error) {
    if (error instanceof Fault && error.code === 'capability_missing') return {};
    throw error;
  }
}

async function portStates(context: Context, service: Service): Promise<Static<typeof Hardware>['ports']> {
  const ports: Record<string, Static<typeof Hardware>['ports'][string]> = {};
  for (const { port, state } of await livePorts(context, service)) {
    (ports[port.switch] ??= {})[state.name] = {
      ifAdminStatus: state.adminStatus,
      ifOperStatus: linkStatus(state),
      ifSpeed: String(state.speedBitsPerSecond),
    };
  }
  return ports;
}
const hardwareCategories = ['CPU', 'Motherboard', 'RAM', 'Hard Drive', 'Network Card'];

export async function serviceOf(context: Context, id: number): Promise<Service> {
  const service = await store.serviceFind(context.queries, context.caller.account, id);
  if (service === undefined) throw new Fault('not_found');
  await refuseHeld(context, service);
  return service;
}

export async function serviceOfServer(context: Context, server: string): Promise<Service> {
  const service = await store.serviceFindByServer(context.queries, context.caller.account, server.toLowerCase());
  if (service === undefined) throw new Fault('not_found');
  await refuseHeld(context, service);
  return service;
}

/** The physical server of a service. Virtual machines have none. */
export function serverOf(service: Service): string {
  if (service.server === null) {
    throw new Fault('capability_missing', {
      message: 'Only dedicated servers have this: the service is a virtual machine.',
    });
  }
  return service.server;
}

/** One command on the controller of a server, in its turn. `purpose` is what others are told meanwhile. */
export function withBmc<T>(
  context: Context,
  server: string,
  purpose: string,
  work: (bmc: Bmc, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { yard, caller } = context;
  // It runs while the turn is waited for, so that the answer comes in time however long that takes.
  const limit = commandLimit();
  return withDeviceLock(yard, { device: server, holder: caller.requestId, purpose }, () =>
    yard.bmcs.use(server, (bmc) => work(bmc, limit)),
  );
}

export function commandLimit(): AbortSignal {
  return AbortSignal.timeout(commandMs);
}

function shown(service: Service): Static<typeof Device> {
  const { name, hostname, status, ip } = service;
  const listed = { service: String(service.id), name, hostname, status, ip };
  return service.type === 'dedicated'
    ? { ...listed, type: service.type, server: service.server ?? '' }
    : { ...listed, type: service.type, vmid: String(service.vmid) };
}
