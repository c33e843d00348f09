// Version 2: new systems, rescue and root passwords of devices. Virtual machines and physical servers go different ways.
import type { Handlers } from '#contract/endpoint.ts';
import type { deviceV2 } from '#contract/v2/device.ts';
import { serviceOf } from '#app/devices/devices.ts';
import { machineReinstallCancel, machineReinstallStart, machineTemplates } from '#app/machines/reinstall.ts';
import { isMachine, machinePasswordReset } from '#app/machines/machines.ts';
import { reloadLog } from '#app/reload/log.ts';
import { reloadCancel, reloadStart, reloadStatus, reloadSystems } from '#app/reload/reloads.ts';
import { passwordCollect, passwordReset, rescueEnd, rescueStart, rescueStatus } from '#app/reload/rescues.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { invalid } from '#kernel/fault.ts';

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
  deviceTemplateList: async (context, { service }) => {
    const found = await serviceOf(context, service);
    return isMachine(found) ? machineTemplates(context, found) : reloadSystems(context, found);
  },
  deviceReloadStart: async (context, { service, value, sshkeys = [] }) => {
    const found = await serviceOf(context, service);
    if (!isMachine(found)) return reloadStart(context, found, value, sshkeys);
    if (sshkeys.length > 0) throw invalid({ sshkeys: 'goes with a dedicated server' });
    return machineReinstallStart(context, found, value);
  },
  deviceReloadCancel: async (context, { service }) => {
    const found = await serviceOf(context, service);
    await (isMachine(found) ? machineReinstallCancel : reloadCancel)(context, found);
    return 'Reload Cancelled' as const;
  },
  deviceReloadStatus: async (context, { service }) => reloadStatus(context, await serviceOf(context, service)),
  deviceReloadLog: async (context, { service }) => reloadLog(context, await serviceOf(context, service)),
  devicePasswordReset: async (context, { service }) => {
    const found = await serviceOf(context, service);
    if (isMachine(found)) return machinePasswordReset(context, found);
    await passwordReset(context, found);
    return '';
  },
  devicePasswordCollect: async (context, { service }) => passwordCollect(context, await serviceOf(context, service)),
  deviceRescueStart: async (context, { service, sshkeys = [] }) =>
    rescueStart(context, await serviceOf(context, service), sshkeys),
  deviceRescueEnd: async (context, { service }) => {
    await rescueEnd(context, await serviceOf(context, service));
    return 'Rescue Ended' as const;
  },
  deviceRescueStatus: async (context, { service }) => rescueStatus(context, await serviceOf(context, service)),
};
