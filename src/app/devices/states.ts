// Recorded power and health of an account's devices. A list of hundreds takes two queries and no BMC calls.
import type { Static } from 'typebox';
import type { DeviceState } from '#contract/shapes/device.ts';
import { timeText } from '#lib/time.ts';
import { deviceHoldsOf, type DeviceHold } from '#store/devices/device-holds.ts';
import { devicePowerList, type DevicePower } from '#store/devices/device-states.ts';
import { suspensionFind } from '#store/billing/billing-suspensions.ts';
import type { Context } from '../app.ts';
import { unpaidReason } from '../billing/suspension.ts';
import { isServiceVisible } from '../services/limits.ts';
import { deviceName, serviceOf } from '../services/services.ts';

type State = Static<typeof DeviceState>;

/** Leaves out services that no longer have a device. */
export async function deviceStateList(context: Context, service: number | undefined): Promise<State[]> {
  const { queries, caller, app } = context;
  if (service !== undefined) await serviceOf(context, service);
  const devices = (await devicePowerList(queries, caller.account)).flatMap((row) => {
    const device = deviceName(row);
    const isWanted = service === undefined ? isServiceVisible(caller.services, row.id) : row.id === service;
    return device === undefined || !isWanted ? [] : [{ device, row }];
  });
  const holds = await deviceHoldsOf(
    queries,
    devices.map(({ device }) => device),
  );
  const isUnexplained = devices.some(({ row }) => row.status === 'Suspended' && row.suspension_reason === null);
  const unpaid = isUnexplained ? await suspensionFind(queries, caller.account) : undefined;
  return devices.map(({ device, row }) => {
    const hold = holds.find((candidate) => candidate.device === device);
    return {
      service: String(row.id),
      power: (row.power_error === null ? row.power_state : null) ?? 'unknown',
      seen: seenAt(row),
      webconsole: row.has_web_page === 1 && app.consoleGateway.webUrl !== undefined ? '1' : '0',
      ...healthOf(row, hold),
      suspension: suspensionReason(row, unpaid),
    };
  });
}

function suspensionReason(
  { id, status, suspension_reason }: DevicePower,
  unpaid: readonly number[] | undefined,
): string {
  if (status !== 'Suspended') return '';
  return suspension_reason ?? (unpaid?.includes(id) === true ? unpaidReason : '');
}

/** A check of a hypervisor that finds a machine unchanged is recorded with the hypervisor. */
function seenAt({ power_seen_at, power_error, node_seen_at }: DevicePower): string {
  if (power_seen_at === null) return '';
  return timeText(Math.max(power_seen_at, power_error === null ? (node_seen_at ?? 0) : 0));
}

/** Omits the details of an error, which name the provider's equipment. */
function healthOf(row: DevicePower, hold: DeviceHold | undefined): Pick<State, 'health' | 'reason'> {
  if (hold !== undefined) return { health: hold.kind === 'locked' ? 'Locked' : 'Maintenance', reason: hold.reason };
  if (row.power_error !== null)
    return {
      health: 'Unreachable',
      reason:
        row.server === null
          ? "The device's hypervisor did not respond to the last check."
          : "The device's IPMI did not respond to the last check.",
    };
  if (row.power_state === null) return { health: 'Waiting', reason: 'Not checked yet.' };
  return { health: 'Good', reason: '' };
}
