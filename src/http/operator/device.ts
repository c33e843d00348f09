// Operator API: devices.
import type { deviceOperator } from '#contract/operator/device.ts';
import { deviceDiscover, deviceHold, deviceList, deviceRelease } from '#app/operator/devices.ts';
import { deviceGet } from '#app/operator/device-detail.ts';
import { operatorSensorReport } from '#app/servers/sensors.ts';
import { reclaimList, reclaimRetry, reclaimSignOff } from '#app/servers/reclaims.ts';
import { respondWith, type HandlersOf } from '../handler.ts';
import { deviceOperationHandlers } from './device-operations.ts';

export const deviceHandlers: HandlersOf<typeof deviceOperator> = {
  ...deviceOperationHandlers,
  deviceList,
  deviceGet: (context, { device }) => deviceGet(context, device),
  deviceSensorsGet: (context, { server, limit }) => operatorSensorReport(context, server, limit),
  deviceLock: respondWith('Device Locked', (context, { device, reason }) =>
    deviceHold(context, device, 'locked', reason),
  ),
  deviceUnlock: respondWith('Device Unlocked', (context, { device }) => deviceRelease(context, device, 'locked')),
  deviceMaintenanceBegin: respondWith('Maintenance Begun', (context, { device, reason }) =>
    deviceHold(context, device, 'maintenance', reason),
  ),
  deviceMaintenanceEnd: respondWith('Maintenance Ended', (context, { device }) =>
    deviceRelease(context, device, 'maintenance'),
  ),
  deviceDiscover: (context, { server, dryrun }) =>
    deviceDiscover(context, server, dryrun === true ? 'compare' : 'store'),
  reclaimList,
  reclaimRetry: respondWith('Retrying', (context, { server }) => reclaimRetry(context, server)),
  reclaimSignOff: respondWith('Signed Off', (context, { server, step, reason }) =>
    reclaimSignOff(context, server, step, reason),
  ),
};
