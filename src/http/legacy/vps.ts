// Legacy: virtual machines, vps and cloud alike, by their vmid.
import type { Handlers } from '#contract/endpoint.ts';
import type { vpsLegacy } from '#contract/legacy/vps.ts';
import { imageExchange, machineImageList } from '#app/devices/images.ts';
import { machineAddresses, machineShown, machinesListed } from '#app/machines/list.ts';
import { machineCycle, machinePowerOff, machinePowerOn } from '#app/machines/power.ts';
import { machineReinstallStart } from '#app/machines/reinstall.ts';
import { serviceOfVmid } from '#app/services/services.ts';
import { machinePasswordReset, machineRename, machineTunSet } from '#app/machines/machines.ts';
import { templatesListed } from '#app/machines/templates.ts';
import type { Context, Visitor } from '#app/yard.ts';

type MachineHandlers = Omit<Handlers<typeof vpsLegacy, Context, Visitor>, 'vpsReverseSet'>;

export const vpsHandlers: MachineHandlers = {
  vpsList: (context) => machinesListed(context),
  vpsGet: (context, { vmid }) => machineShown(context, vmid),
  vpsImageList: (context) => machineImageList(context),
  vpsImageMount: async (context, { vmid, image }) => {
    await imageExchange(context, await serviceOfVmid(context, vmid), image);
    return 'Image Mounted' as const;
  },
  vpsTemplateList: (context, { type }) => templatesListed(context, type),
  vpsReinstall: async (context, { vmid, template }) =>
    machineReinstallStart(context, await serviceOfVmid(context, vmid), template),
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
        await machineCycle(context, service);
        return 'Rebooted';
    }
  },
  vpsHostnameSet: async (context, { vmid, hostname }) => {
    await machineRename(context, await serviceOfVmid(context, vmid), hostname);
    return 'Hostname Updated' as const;
  },
  vpsPasswordReset: async (context, { vmid }) => machinePasswordReset(context, await serviceOfVmid(context, vmid)),
  vpsTunSet: async (context, { vmid, action }) => {
    await machineTunSet(context, vmid, action === 'enable' ? 'enabled' : 'disabled');
    return action === 'enable' ? 'TUN Enabled' : 'TUN Disabled';
  },
  vpsNetworkGet: (context) => machineAddresses(context),
};
