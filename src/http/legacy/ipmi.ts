// Legacy: the management controller of a dedicated server, by the server's name.
import type { Handlers } from '#contract/endpoint.ts';
import type { ipmiLegacy } from '#contract/legacy/ipmi.ts';
import { bmcUserCreate, bmcUserRemove, bmcUserResetPassword } from '#app/servers/bmc-users.ts';
import { bandwidth, spanOf } from '#app/network/bandwidth.ts';
import { consoleOpen } from '#app/servers/consoles.ts';
import { controllerReset } from '#app/servers/controllers.ts';
import { serviceOfServer } from '#app/services/services.ts';
import { imageMount, imageSet, imageStatus, imageUnmount } from '#app/devices/images.ts';
import {
  bootNext,
  powerOff,
  powerOn,
  powerRebooted,
  powerRequestShutdown,
  powerReset,
  powerState,
} from '#app/servers/power.ts';
import { installStart, installStatus, installStop } from '#app/reload/reloads.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { invalid } from '#kernel/fault.ts';

const spanSeconds = { day: 86_400, week: 7 * 86_400, month: 31 * 86_400 } as const;

export const ipmiHandlers: Handlers<typeof ipmiLegacy, Context, Visitor> = {
  ipmiConsoleOpen: async (context, { server }) => consoleOpen(context, await serviceOfServer(context, server)),
  ipmiBandwidthGet: async (context, { server, start, graph }) => {
    const service = await serviceOfServer(context, server);
    const now = Math.floor(context.yard.clock.now() / 1000);
    const span = spanOf(context, now - spanSeconds[start ?? 'day'], now, 'end');
    return bandwidth(context, service, span, graph === false ? 'without graphs' : 'with graphs');
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
        await powerRequestShutdown(context, service);
        return 'Chassis Power Control: Soft';
      case 'reboot':
        await powerRebooted(context, service);
        return 'Chassis Power Control: Cycle';
      case 'reset':
        await powerReset(context, service);
        return 'Chassis Power Control: Reset';
      case 'rebootPXE':
        await bootNext(context, service, 'pxe');
        return 'Set Boot Device to pxe';
      case 'rebootCDROM':
        await bootNext(context, service, 'cdrom');
        return 'Set Boot Device to cdrom';
      case 'rebootBIOS':
        await bootNext(context, service, 'bios');
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
    await controllerReset(context, await serviceOfServer(context, server));
    return 'Controller Reset' as const;
  },
};
