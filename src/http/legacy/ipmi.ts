// Legacy: the BMC of a dedicated server, by the server's name.
import type { ipmiLegacy } from '#contract/legacy/ipmi.ts';
import { bmcUserCreate, bmcUserRemove, bmcUserResetPassword } from '#app/servers/bmc-users.ts';
import { getBandwidth, parseSpan } from '#app/network/bandwidth.ts';
import { consoleOpen } from '#app/servers/consoles.ts';
import { resetBmc } from '#app/servers/servers.ts';
import { serviceOfLegacyServer } from '#app/services/services.ts';
import { imageMount, imageSet, imageStatus, imageUnmount } from '#app/devices/images.ts';
import { setNextBoot, powerOff, powerOn, reboot, requestShutdown, resetPower, powerState } from '#app/servers/power.ts';
import { installStart, installStatus, installStop } from '#app/reload/reloads.ts';
import { invalid } from '#lib/api-error.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

const spanSeconds = { day: 86_400, week: 7 * 86_400, month: 31 * 86_400 } as const;

/** The work of each action, and its response. */
const powerActions = {
  on: [powerOn, 'Chassis Power Control: Up/On'],
  off: [powerOff, 'Chassis Power Control: Down/Off'],
  offHard: [powerOff, 'Chassis Power Control: Down/Off'],
  offSoft: [requestShutdown, 'Chassis Power Control: Soft'],
  reboot: [reboot, 'Chassis Power Control: Cycle'],
  reset: [resetPower, 'Chassis Power Control: Reset'],
  rebootPXE: [(context, service) => setNextBoot(context, service, 'pxe'), 'Set Boot Device to pxe'],
  rebootCDROM: [(context, service) => setNextBoot(context, service, 'cdrom'), 'Set Boot Device to cdrom'],
  rebootBIOS: [(context, service) => setNextBoot(context, service, 'bios'), 'Set Boot Device to bios'],
} as const satisfies Record<string, readonly [work: typeof powerOff, response: string]>;

export const ipmiHandlers: HandlersOf<typeof ipmiLegacy> = {
  ipmiConsoleOpen: async (context, { server }) => consoleOpen(context, await serviceOfLegacyServer(context, server)),
  ipmiBandwidthGet: async (context, { server, start, graph }) => {
    const service = await serviceOfLegacyServer(context, server);
    const now = Math.floor(context.app.clock.now() / 1000);
    const span = parseSpan(context, now - spanSeconds[start ?? 'day'], now, 'end');
    return getBandwidth(context, service, span, graph === false ? 'without graphs' : 'with graphs');
  },
  ipmiUserSet: async (context, { server, username, action }) => {
    const service = await serviceOfLegacyServer(context, server);
    switch (action) {
      case 'createUser':
        return bmcUserCreate(context, service, username);
      case 'deleteUser':
        await bmcUserRemove(context, service, username);
        return 'User Removed';
      case 'resetPassword':
        return { value: await bmcUserResetPassword(context, service, username) };
    }
  },
  ipmiPowerSet: async (context, { server, action }) => {
    const service = await serviceOfLegacyServer(context, server);
    if (action === 'checkOn') return (await powerState(context, service)) === 'on' ? 'true' : 'false';
    if (action === 'checkOff') return (await powerState(context, service)) === 'off' ? 'true' : 'false';
    const [run, text] = powerActions[action];
    await run(context, service);
    return text;
  },
  ipmiInstallSet: async (context, { server, action, image }) => {
    const service = await serviceOfLegacyServer(context, server);
    switch (action) {
      case 'status':
        return installStatus(context, service);
      case 'start':
        await installStart(context, service, image);
        return 'Installation Started';
      case 'stop':
        await installStop(context, service);
        return 'Installation Stopped';
    }
  },
  ipmiImageSet: async (context, { server, action, image }) => {
    const service = await serviceOfLegacyServer(context, server);
    switch (action) {
      case 'status':
        return imageStatus(context, service);
      case 'setImage':
        if (image === undefined) throw invalid({ image: 'is required with setImage' });
        await imageSet(context, service, image);
        return 'Image Set';
      case 'mountImage':
        await imageMount(context, service);
        return 'Image Mounted';
      case 'unmountImage':
        await imageUnmount(context, service);
        return 'Image Unmounted';
    }
  },
  ipmiControllerReset: respondWith('Controller Reset', async (context, { server }) =>
    resetBmc(context, await serviceOfLegacyServer(context, server)),
  ),
};
