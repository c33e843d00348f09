// The device behind a service: its description, its last known state, and why it cannot be changed right now.
import { useMemo } from 'react';
import type { Scope } from '#contract/scopes.ts';
import type { Device, DeviceState } from '#sdk/v2.ts';
import { useRead } from '../../data/operations.ts';
import { useScopeDenial } from '../../data/identity.ts';
import { t, tData } from '../../text/text.ts';

/** A check that finds no change emits no event. */
const stateRefetchMs = 20_000;

export interface ServerInfo {
  readonly device: Device;
  readonly state: DeviceState | undefined;
}

export const isVirtualMachine = ({ type }: Device): boolean => type !== 'dedicated';
export const serverName = ({ hostname, name }: Device): string => (hostname === '' ? name : hostname);

/** Returns the device states by service ID. */
export function useDeviceStates(): ReadonlyMap<string, DeviceState> {
  const { data } = useRead('deviceStateList', {}, { refetchMs: stateRefetchMs });
  return useMemo(() => new Map((data ?? []).map((state) => [state.service, state])), [data]);
}

const statusReasons: Partial<Record<Device['status'], string>> = {
  Pending: t('The service is still being set up.'),
  Terminated: t('The service is terminated.'),
};

/** Returns why an action that needs this scope is unavailable on the device, or undefined if it is allowed. */
export function useUnavailableReason(): (server: ServerInfo, scope: Scope) => string | undefined {
  const scopeDenial = useScopeDenial();
  return ({ device, state }, scope) => scopeDenial(scope) ?? statusReason(device, state) ?? healthReason(state);
}

function statusReason({ status }: Device, state: DeviceState | undefined): string | undefined {
  return status === 'Suspended' ? suspensionText(state) : statusReasons[status];
}

export function suspensionText(state: DeviceState | undefined): string {
  return [t('The service is suspended'), state?.suspension]
    .filter(Boolean)
    .join(': ')
    .replace(/[^.!?]$/, '$&.');
}

function healthReason(state: DeviceState | undefined): string | undefined {
  if (state?.health === 'Maintenance') return t('Under maintenance: {reason}', { reason: tData(state.reason) });
  if (state?.health === 'Locked') return t('Locked by the provider: {reason}', { reason: tData(state.reason) });
  return undefined;
}
