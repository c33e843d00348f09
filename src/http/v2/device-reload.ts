// v2: operating system reloads, rescue system and root passwords of devices.
import type { Handlers } from '#contract/endpoint.ts';
import type { deviceV2 } from '#contract/v2/device.ts';
import { deviceOf } from '#app/devices/device.ts';
import { reloadLog } from '#app/reload/log.ts';
import { reloadStatus } from '#app/reload/reloads.ts';
import { collectPassword, endRescue, startRescue, rescueStatus } from '#app/reload/rescues.ts';
import { serviceOf } from '#app/services/services.ts';
import type { Context, Visitor } from '#app/app.ts';

type Handled =
  | 'deviceTemplateList'
  | 'deviceReloadStart'
  | 'deviceReloadCancel'
  | 'deviceReloadStatus'
  | 'deviceReloadLog'
  | 'devicePasswordReset'
  | 'devicePasswordCollect'
  | 'deviceRescueStart'
  | 'deviceRescueEnd'
  | 'deviceRescueStatus';

export const deviceReloadHandlers: Pick<Handlers<typeof deviceV2, Context, Visitor>, Handled> = {
  deviceTemplateList: async (context, { service }) => (await deviceOf(context, service)).systems(),
  deviceReloadStart: async (context, { service, value, sshkeys = [] }) =>
    (await deviceOf(context, service)).reinstall(value, sshkeys),
  deviceReloadCancel: async (context, { service }) => {
    await (await deviceOf(context, service)).reinstallCancel();
    return 'Reload Cancelled' as const;
  },
  deviceReloadStatus: async (context, { service }) => reloadStatus(context, await serviceOf(context, service)),
  deviceReloadLog: async (context, { service }) => reloadLog(context, await serviceOf(context, service)),
  devicePasswordReset: async (context, { service }) => (await deviceOf(context, service)).passwordReset(),
  devicePasswordCollect: async (context, { service }) => collectPassword(context, await serviceOf(context, service)),
  deviceRescueStart: async (context, { service, sshkeys = [] }) =>
    startRescue(context, await serviceOf(context, service), sshkeys),
  deviceRescueEnd: async (context, { service }) => {
    await endRescue(context, await serviceOf(context, service));
    return 'Rescue Ended' as const;
  },
  deviceRescueStatus: async (context, { service }) => rescueStatus(context, await serviceOf(context, service)),
};
