// Legacy: virtual machines, VPS and cloud alike, by their vmid.
import type { Handlers } from '#contract/endpoint.ts';
import type { vpsLegacy } from '#contract/legacy/vps.ts';
import { imageExchange, machineImageList } from '#app/devices/images.ts';
import { machineAddresses, getMachine, listMachines } from '#app/machines/list.ts';
import { cycleMachine, machinePowerOff, machinePowerOn } from '#app/machines/power.ts';
import { startReinstall, templateNames } from '#app/machines/reinstall.ts';
import { serviceOfVmid } from '#app/services/services.ts';
import { resetMachinePassword, renameMachine, setMachineTun } from '#app/machines/machines.ts';
import type { Context, Visitor } from '#app/app.ts';

type MachineHandlers = Omit<Handlers<typeof vpsLegacy, Context, Visitor>, 'vpsReverseSet'>;

export const vpsHandlers: MachineHandlers = {
  vpsList: (context) => listMachines(context),
  vpsGet: (context, { vmid }) => getMachine(context, vmid),
  vpsImageList: (context) => machineImageList(context),
  vpsImageMount: async (context, { vmid, image }) => {
    await imageExchange(context, await serviceOfVmid(context, vmid), image);
    return 'Image Mounted' as const;
  },
  vpsTemplateList: (context, { type }) => templateNames(context, type),
  vpsReinstall: async (context, { vmid, template }) =>
    startReinstall(context, await serviceOfVmid(context, vmid), template),
  vpsPowerSet: async (context, { vmid, action }) => {
    const service = await serviceOfVmid(context, vmid);
    switch (action) {
      case 'on':
        await machinePowerOn(context, service);
        return 'Powered On';
      case 'off':
        await machinePowerOff(context, service);
        return 'Powered Off';
      case 'reboot':
        await cycleMachine(context, service);
        return 'Rebooted';
    }
  },
  vpsHostnameSet: async (context, { vmid, hostname }) => {
    await renameMachine(context, await serviceOfVmid(context, vmid), hostname);
    return 'Hostname Updated' as const;
  },
  vpsPasswordReset: async (context, { vmid }) => resetMachinePassword(context, await serviceOfVmid(context, vmid)),
  vpsTunSet: async (context, { vmid, action }) => {
    await setMachineTun(context, vmid, action === 'enable' ? 'enabled' : 'disabled');
    return action === 'enable' ? 'TUN Enabled' : 'TUN Disabled';
  },
  vpsNetworkGet: (context) => machineAddresses(context),
};
