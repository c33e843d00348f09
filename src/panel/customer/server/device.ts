// A service's device on its pages: what it is, what was last seen of it, and why it cannot be changed now.
import type { Scope } from '#contract/scopes.ts';
import type { Device, DeviceState } from '#sdk/v2.ts';
import { useRead } from '../../data/read.ts';
import { useRefusal } from '../../data/who.ts';

/** No event tells that a look found nothing new. */
const stateEveryMs = 20_000;

export interface ShownDevice {
  readonly device: Device;
  readonly state: DeviceState | undefined;
}

export const isMachine = ({ type }: Device): boolean => type !== 'dedicated';
export const hostnameOf = ({ hostname, name }: Device): string => (hostname === '' ? name : hostname);

/** By the number of their service. */
export function useDeviceStates(): ReadonlyMap<string, DeviceState> {
  const { data } = useRead('deviceStateList', {}, { everyMs: stateEveryMs });
  return new Map((data ?? []).map((state) => [state.service, state]));
}

const statusReasons: Partial<Record<Device['status'], string>> = {
  Pending: 'The service is still being made.',
  Suspended: 'The service is suspended.',
  Terminated: 'The service is terminated.',
};

/** Why something that needs this scope cannot be done with the device; undefined where there is no reason against it. */
export function useDeviceRefusal(): (shown: ShownDevice, scope: Scope) => string | undefined {
  const refusal = useRefusal();
  return ({ device, state }, scope) => refusal(scope) ?? statusReasons[device.status] ?? heldReason(state);
}

function heldReason(state: DeviceState | undefined): string | undefined {
  if (state?.health === 'Maintenance') return `It is under maintenance: ${state.reason}`;
  if (state?.health === 'Locked') return `The provider has locked it: ${state.reason}`;
  return undefined;
}
