// Version 2: devices.
import type { Handlers } from '#contract/endpoint.ts';
import { deviceV2 } from '#contract/v2/device.ts';
import { bandwidth, spanOf } from '#app/bandwidth.ts';
import { consoleOpen, consoleReset, consoleTicket } from '#app/consoles.ts';
import { deviceHardware, deviceList, deviceRename, deviceType, serverOf, serviceOf } from '#app/devices.ts';
import { bootNext, powerCycled, powerOff, powerOn, powerReset, powerState } from '#app/power.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { innerEnvelope } from '../answers.ts';
import { notBuiltYet } from '../not-built.ts';

export const deviceHandlers: Handlers<typeof deviceV2, Context, Visitor> = {
  ...notBuiltYet(deviceV2),
  deviceList,
  deviceTypeGet: (context, { service }) => deviceType(context, service),
  deviceStatsGet: async (context, { service, start, stop }) => {
    const span = spanOf(context, start, stop, 'stop');
    const found = await serviceOf(context, service);
    serverOf(found);
    return innerEnvelope(await bandwidth(context, found, span, 'with graphs'));
  },
  deviceHardwareGet: (context, { service }) => deviceHardware(context, service),
  deviceHostnameSet: async (context, { service, hostname }) => {
    await deviceRename(context, service, hostname);
    return '' as const;
  },
  deviceConsoleOpen: async (context, { service }) => consoleOpen(context, await serviceOf(context, service)),
  deviceConsoleTicket: async (context, { service }) => consoleTicket(context, await serviceOf(context, service)),
  deviceConsoleReset: async (context, { service }) => {
    await consoleReset(context, await serviceOf(context, service));
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
