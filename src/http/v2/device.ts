// Version 2: devices.
import type { Handlers } from '#contract/endpoint.ts';
import type { deviceV2 } from '#contract/v2/device.ts';
import { licenceDetails, licenceOffers } from '#app/software/licences.ts';
import { bandwidth, spanOf } from '#app/network/bandwidth.ts';
import { consoleOpen, consoleReset, consoleTicket } from '#app/devices/consoles.ts';
import { deviceHardware, deviceList, deviceRename, deviceType, serviceOf } from '#app/devices/devices.ts';
import { machineHardware, machineStats } from '#app/machines/stats.ts';
import { isMachine, machineRename } from '#app/machines/machines.ts';
import { deviceStateList } from '#app/devices/states.ts';
import { bootNext, powerCycled, powerOff, powerOn, powerReset, powerState } from '#app/devices/power.ts';
import { screenOpen, screenReset } from '#app/machines/screens.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { innerEnvelope } from '../answers.ts';
import { deviceImageHandlers } from './device-image.ts';
import { deviceReloadHandlers } from './device-reload.ts';

export const deviceHandlers: Handlers<typeof deviceV2, Context, Visitor> = {
  ...deviceImageHandlers,
  ...deviceReloadHandlers,
  deviceList,
  deviceStateList: (context, { service }) => deviceStateList(context, service),
  deviceLicenceList: (context, { service }) => licenceDetails(context, service),
  deviceLicenceOfferList: (context, { service }) => licenceOffers(context, service),
  deviceTypeGet: (context, { service }) => deviceType(context, service),
  deviceStatsGet: async (context, { service, start, stop }) => {
    const span = spanOf(context, start, stop, 'stop');
    const found = await serviceOf(context, service);
    if (isMachine(found)) return machineStats(context, found);
    return innerEnvelope(await bandwidth(context, found, span, 'with graphs'));
  },
  deviceHardwareGet: async (context, { service }) => {
    const found = await serviceOf(context, service);
    return isMachine(found) ? machineHardware(context, found) : deviceHardware(context, found);
  },
  deviceHostnameSet: async (context, { service, hostname }) => {
    const found = await serviceOf(context, service);
    await (isMachine(found) ? machineRename : deviceRename)(context, found, hostname);
    return '' as const;
  },
  deviceConsoleOpen: async (context, { service }) => {
    const found = await serviceOf(context, service);
    return isMachine(found) ? screenOpen(context, found) : consoleOpen(context, found);
  },
  deviceConsoleTicket: async (context, { service }) => consoleTicket(context, await serviceOf(context, service)),
  deviceConsoleReset: async (context, { service }) => {
    const found = await serviceOf(context, service);
    await (isMachine(found) ? screenReset : consoleReset)(context, found);
    return 'Console Reset' as const;
  },
  devicePowerGet: async (context, { service }) => powerState(context, await serviceOf(context, service)),
  devicePowerSet: async (context, { service: id, action }) => {
    const service = await serviceOf(context, id);
    switch (action) {
      case 'on':
        await powerOn(context, service);
        return 'Chassis Power Control: Up/On';
      case 'off':
        await powerOff(context, service);
        return 'Chassis Power Control: Down/Off';
      case 'reboot':
        await powerReset(context, service);
        return 'Chassis Power Control: Reset';
      case 'cycle':
        await powerCycled(context, service);
        return 'Chassis Power Control: Cycle';
    }
  },
  deviceBootSet: async (context, { service, request }) => {
    await bootNext(context, await serviceOf(context, service), request);
    return `Set Boot Device to ${request}`;
  },
};
