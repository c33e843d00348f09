// Staff act on devices as their customers do, with the same functions: on behalf of the customer who has the device, or on
// a server in stock.
import { serverFind } from '#store/devices/servers.ts';
import { serviceLoad, serviceOfServer, type Service } from '#store/devices/services.ts';
import { stockNumberFind, stockNumberOf } from '#store/devices/stock-numbers.ts';
import { machineOfVmid } from '#store/operator/operator-devices.ts';
import { requireFound } from '#lib/api-error.ts';
import type { Context } from '../app.ts';
import { stockService } from '../services/stock.ts';

export interface OperatedDevice {
  readonly context: Context;
  /** Zero or less for a server in stock. */
  readonly service: number;
}

export async function operateDevice(context: Context, name: string): Promise<OperatedDevice> {
  const service = await serviceOfDevice(context, name.toLowerCase());
  if (service !== undefined) return { context: context.onBehalfOf(service.account_id), service: service.id };
  const server = await findServer(context, name);
  // Nothing is recorded about a server on which staff have not acted yet.
  const number =
    context.changing === undefined
      ? await stockNumberFind(context.queries, server.name)
      : await stockNumberOf(context.queries, server.name);
  const stock = stockService(server.name, number ?? 0);
  return { context: { ...context, stock }, service: stock.id };
}

/** Lets the customer know that staff changed something about their device, and why. A server in stock has no customer. */
export function emitStaffAction(
  context: Context,
  operation: string,
  service: number,
  { reason, action = '' }: Readonly<Record<string, unknown>>,
): void {
  const { caller, changing, stock } = context;
  if (changing === undefined || stock !== undefined) return;
  const data = { operation, action: String(action), operator: caller.operator!.name, reason: String(reason) };
  context.emit('device.staff.acted', data, service);
}

/** Returns the service that has the device, or undefined if none has it. */
export async function serviceOfDevice({ queries }: Context, device: string): Promise<Service | undefined> {
  const vmid = vmidOf(device);
  const machine = vmid === undefined ? undefined : await machineOfVmid(queries, vmid);
  return machine === undefined ? serviceOfServer(queries, device) : serviceLoad(queries, machine.service_id);
}

/** Returns the server, in stock or not. */
export async function findServer({ queries }: Context, name: string) {
  const server = await serverFind(queries, name.toLowerCase());
  return requireFound(server?.removed_at === null ? server : undefined, 'Device not found.');
}

export function vmidOf(device: string): number | undefined {
  const digits = /^vm-([0-9]{1,15})$/.exec(device)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
