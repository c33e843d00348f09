// What keeps a customer from changing a service of his: it is suspended or over, or the provider holds its device back. Reading
// goes on, and the provider's own staff are kept from nothing.
import { Fault } from '#kernel/fault.ts';
import { deviceHolds, type HoldKind } from '#store/devices/device-holds.ts';
import { machineName } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../yard.ts';

const words: Record<HoldKind, string> = { locked: 'locked', maintenance: 'under maintenance' };

export async function refuseHeld(context: Context, service: Service): Promise<void> {
  const { changing, caller } = context;
  if (changing === undefined || caller.operator !== undefined) return;
  if (service.status === 'Suspended') throw new Fault('service_suspended');
  if (service.status === 'Terminated') throw new Fault('state_conflict', { message: 'The service is terminated.' });
  // What does not touch the device itself, such as a reverse name, goes on.
  if (changing.startsWith('device:')) await refuseHeldDevice(context, service);
}

export async function refuseHeldDevice({ queries, caller }: Context, service: Service): Promise<void> {
  const device = deviceName(service);
  if (device === undefined || caller.operator !== undefined) return;
  const [hold] = await deviceHolds(queries, device);
  if (hold !== undefined)
    throw new Fault('device_held', { message: `The device is ${words[hold.kind]}: ${hold.reason}` });
}

/** The name under which the device of a service is locked and held; undefined where it has none any more. */
export function deviceName({ server, vmid }: Pick<Service, 'server' | 'vmid'>): string | undefined {
  return server ?? (vmid === null ? undefined : machineName(vmid));
}
