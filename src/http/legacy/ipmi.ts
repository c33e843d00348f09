// Legacy: the BMC of a dedicated server, by the server's name.
import type { Handlers } from '#contract/endpoint.ts';
import type { ipmiLegacy } from '#contract/legacy/ipmi.ts';
import { bmcUserCreate, bmcUserRemove, bmcUserResetPassword } from '#app/servers/bmc-users.ts';
import { getBandwidth, parseSpan } from '#app/network/bandwidth.ts';
import { consoleOpen } from '#app/servers/consoles.ts';
import { resetBmc } from '#app/servers/servers.ts';
import { serviceOfServer } from '#app/services/services.ts';
import { imageMount, imageSet, imageStatus, imageUnmount } from '#app/devices/images.ts';
import { setNextBoot, powerOff, powerOn, reboot, requestShutdown, resetPower, powerState } from '#app/servers/power.ts';
import { installStart, installStatus, installStop } from '#app/reload/reloads.ts';
import type { Context, Visitor } from '#app/app.ts';
import { invalid } from '#lib/api-error.ts';

const spanSeconds = { day: 86_400, week: 7 * 86_400, month: 31 * 86_400 } as const;

export const ipmiHandlers: Handlers<typeof ipmiLegacy, Context, Visitor> = {
  ipmiConsoleOpen: async (context, { server }) => consoleOpen(context, await serviceOfServer(context, server)),
  ipmiBandwidthGet: async (context, { server, start, graph }) => {
    const service = await serviceOfServer(context, server);
    const now = Math.floor(context.app.clock.now() / 1000);
    const span = parseSpan(context, now - spanSeconds[start ?? 'day'], now, 'end');
    return getBandwidth(context, service, span, graph === false ? 'without graphs' : 'with graphs');
  },
  ipmiUserSet: async (context, { server, username, action }) => {
    const service = await serviceOfServer(context, server);
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
    const service = await serviceOfServer(context, server);
    switch (action) {
      case 'checkOn':
        return String((await powerState(context, service)) === 'on') as 'true' | 'false';
      case 'checkOff':
        return String((await powerState(context, service)) === 'off') as 'true' | 'false';
      case 'on':
        await powerOn(context, service);
        return 'Chassis Power Control: Up/On';
      case 'off':
      case 'offHard':
        await powerOff(context, service);
        return 'Chassis Power Control: Down/Off';
      case 'offSoft':
        await requestShutdown(context, service);
        return 'Chassis Power Control: Soft';
      case 'reboot':
        await reboot(context, service);
        return 'Chassis Power Control: Cycle';
      case 'reset':
        await resetPower(context, service);
        return 'Chassis Power Control: Reset';
      case 'rebootPXE':
        await setNextBoot(context, service, 'pxe');
        return 'Set Boot Device to pxe';
      case 'rebootCDROM':
        await setNextBoot(context, service, 'cdrom');
        return 'Set Boot Device to cdrom';
      case 'rebootBIOS':
        await setNextBoot(context, service, 'bios');
        return 'Set Boot Device to bios';
    }
  },
  ipmiInstallSet: async (context, { server, action, image }) => {
    const service = await serviceOfServer(context, server);
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
    const service = await serviceOfServer(context, server);
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
  ipmiControllerReset: async (context, { server }) => {
    await resetBmc(context, await serviceOfServer(context, server));
    return 'Controller Reset' as const;
  },
};
