// v2: operating system reloads, rescue system and root passwords of devices.
import type { deviceV2 } from '#contract/v2/device.ts';
import { resolveSshKeys } from '#app/account/ssh-keys.ts';
import { deviceOf } from '#app/devices/device.ts';
import { reloadLog } from '#app/reload/log.ts';
import { reloadStatus } from '#app/reload/reloads.ts';
import { collectPassword, endRescue, startRescue, rescueStatus } from '#app/reload/rescues.ts';
import { serviceOf } from '#app/services/services.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const deviceReloadHandlers = {
  deviceTemplateList: async (context, { service }) => (await deviceOf(context, service)).systems(),
  deviceReloadStart: async (context, { service, value, sshkeys = [] }) =>
    (await deviceOf(context, service)).reinstall(value, sshkeys),
  deviceReloadCancel: respondWith('Reload Cancelled', async (context, { service }) =>
    (await deviceOf(context, service)).reinstallCancel(),
  ),
  deviceReloadStatus: async (context, { service }) => reloadStatus(context, await serviceOf(context, service)),
  deviceReloadLog: async (context, { service }) => reloadLog(context, await serviceOf(context, service)),
  devicePasswordReset: async (context, { service }) => (await deviceOf(context, service)).passwordReset(),
  devicePasswordCollect: async (context, { service }) => collectPassword(context, await serviceOf(context, service)),
  deviceRescueStart: async (context, { service, sshkeys = [] }) =>
    startRescue(context, await serviceOf(context, service), await resolveSshKeys(context, sshkeys)),
  deviceRescueEnd: respondWith('Rescue Ended', async (context, { service }) =>
    endRescue(context, await serviceOf(context, service)),
  ),
  deviceRescueStatus: async (context, { service }) => rescueStatus(context, await serviceOf(context, service)),
} satisfies Partial<HandlersOf<typeof deviceV2>>;
