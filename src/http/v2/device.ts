// v2: devices.
import type { deviceV2 } from '#contract/v2/device.ts';
import { createConsoleTicket } from '#app/devices/consoles.ts';
import { deviceOf } from '#app/devices/device.ts';
import { deviceList, deviceType } from '#app/devices/devices.ts';
import { deviceStateList } from '#app/devices/states.ts';
import { machineTun, setMachineTun } from '#app/machines/machines.ts';
import { machineStats, machineUsage } from '#app/machines/stats.ts';
import { getBandwidth, parseSpan } from '#app/network/bandwidth.ts';
import { certificateFile } from '#app/servers/certificate-file.ts';
import { certificateKey, certificateList } from '#app/servers/certificates.ts';
import { sensorReport } from '#app/servers/sensors.ts';
import { webConsoleOpen } from '#app/servers/web-consoles.ts';
import { isMachine, serviceOf } from '#app/services/services.ts';
import { licenceDetails, licenceOffers } from '#app/software/licences.ts';
import { respondWith, type HandlersOf } from '../handler.ts';
import { innerEnvelope } from '../responses.ts';
import { deviceImageHandlers } from './device-image.ts';
import { deviceReloadHandlers } from './device-reload.ts';

export const deviceHandlers: HandlersOf<typeof deviceV2> = {
  ...deviceImageHandlers,
  ...deviceReloadHandlers,
  deviceList,
  deviceSensorsGet: async (context, { service }) => sensorReport(context, await serviceOf(context, service)),
  deviceStateList: (context, { service }) => deviceStateList(context, service),
  deviceLicenceList: (context, { service }) => licenceDetails(context, service),
  deviceLicenceOfferList: (context, { service }) => licenceOffers(context, service),
  certificateList: async (context, { service }) => certificateList(context, await serviceOf(context, service)),
  certificatePdf: async (context, { service, kind }) =>
    certificateFile(context, await serviceOf(context, service), kind),
  certificateKeyGet: certificateKey,
  deviceTypeGet: (context, { service }) => deviceType(context, service),
  deviceStatsGet: async (context, { service, start, stop }) => {
    const span = parseSpan(context, start, stop, 'stop');
    const row = await serviceOf(context, service);
    if (isMachine(row)) return machineStats(context, row, start === undefined && stop === undefined ? undefined : span);
    return innerEnvelope(await getBandwidth(context, row, span, 'with graphs'));
  },
  deviceUsageList: async (context, { service, start, stop }) => {
    const span = parseSpan(context, start, stop, 'stop');
    const row = await serviceOf(context, service);
    return isMachine(row) ? machineUsage(context, row, span) : [];
  },
  deviceHardwareGet: async (context, { service }) => (await deviceOf(context, service)).hardware(),
  deviceHostnameSet: respondWith('', async (context, { service, hostname }) =>
    (await deviceOf(context, service)).rename(hostname),
  ),
  deviceConsoleOpen: async (context, { service }) => (await deviceOf(context, service)).consoleOpen(),
  deviceConsoleTicket: async (context, { service }) => createConsoleTicket(context, await serviceOf(context, service)),
  deviceConsoleWeb: async (context, { service }) => webConsoleOpen(context, await serviceOf(context, service)),
  deviceConsoleReset: respondWith('Console Reset', async (context, { service }) =>
    (await deviceOf(context, service)).consoleReset(),
  ),
  devicePowerGet: async (context, { service }) => (await deviceOf(context, service)).powerState(),
  devicePowerSet: async (context, { service, action }) => {
    const device = await deviceOf(context, service);
    switch (action) {
      case 'on':
        await device.powerOn();
        return 'Chassis Power Control: Up/On';
      case 'off':
        await device.powerOff();
        return 'Chassis Power Control: Down/Off';
      case 'reboot':
        await device.reset();
        return 'Chassis Power Control: Reset';
      case 'cycle':
        await device.cycle();
        return 'Chassis Power Control: Cycle';
    }
  },
  deviceShutdown: respondWith('Shutdown Requested', async (context, { service }) =>
    (await deviceOf(context, service)).shutDown(),
  ),
  deviceTunGet: async (context, { service }) => machineTun(context, await serviceOf(context, service)),
  deviceTunSet: async (context, { service, action }) =>
    setMachineTun(context, await serviceOf(context, service), action),
  deviceBootSet: async (context, { service, request }) => {
    await (await deviceOf(context, service)).bootNext(request);
    return `Set Boot Device to ${request}`;
  },
};
