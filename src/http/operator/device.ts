// Operator API: devices.
import type { Handlers } from '#contract/endpoint.ts';
import type { deviceOperator } from '#contract/operator/device.ts';
import { deviceDiscover, deviceHold, deviceList, deviceRelease } from '#app/operator/devices.ts';
import type { Context, Visitor } from '#app/app.ts';

export const deviceHandlers: Handlers<typeof deviceOperator, Context, Visitor> = {
  deviceList,
  deviceLock: async (context, { device, reason }) => {
    await deviceHold(context, device, 'locked', reason);
    return 'Device Locked';
  },
  deviceUnlock: async (context, { device }) => {
    await deviceRelease(context, device, 'locked');
    return 'Device Unlocked';
  },
  deviceMaintenanceBegin: async (context, { device, reason }) => {
    await deviceHold(context, device, 'maintenance', reason);
    return 'Maintenance Begun';
  },
  deviceMaintenanceEnd: async (context, { device }) => {
    await deviceRelease(context, device, 'maintenance');
    return 'Maintenance Ended';
  },
  deviceDiscover: (context, { server, dryrun }) =>
    deviceDiscover(context, server, dryrun === true ? 'compare' : 'store'),
};
