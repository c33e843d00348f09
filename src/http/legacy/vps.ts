// Legacy: virtual machines, VPS and cloud alike, by their vmid. This API lists reverse DNS among them.
import type { vpsLegacy } from '#contract/legacy/vps.ts';
import { reverseSetLegacy } from '#app/dns/reverse.ts';
import { imageExchange, machineImageList } from '#app/devices/images.ts';
import { machineAddresses, getMachine, listMachines } from '#app/machines/list.ts';
import { cycleMachine, machinePowerOff, machinePowerOn } from '#app/machines/power.ts';
import { startReinstall, templateNames } from '#app/machines/reinstall.ts';
import { serviceOfVmid } from '#app/services/services.ts';
import { renameMachine, resetMachinePassword, serviceOfOptionalVmid, setMachineTun } from '#app/machines/machines.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const vpsHandlers: HandlersOf<typeof vpsLegacy> = {
  vpsList: (context) => listMachines(context),
  vpsGet: (context, { vmid }) => getMachine(context, vmid),
  vpsImageList: (context) => machineImageList(context),
  vpsImageMount: respondWith('Image Mounted', async (context, { vmid, image }) =>
    imageExchange(context, await serviceOfVmid(context, vmid), image),
  ),
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
  vpsHostnameSet: respondWith('Hostname Updated', async (context, { vmid, hostname }) =>
    renameMachine(context, await serviceOfVmid(context, vmid), hostname),
  ),
  vpsPasswordReset: async (context, { vmid }) => resetMachinePassword(context, await serviceOfVmid(context, vmid)),
  vpsTunSet: async (context, { vmid, action }) => {
    const { effect } = await setMachineTun(context, await serviceOfOptionalVmid(context, vmid), action);
    const done = action === 'enable' ? 'TUN Enabled' : 'TUN Disabled';
    return effect === 'now' ? done : `${done} from the next start`;
  },
  vpsNetworkGet: (context) => machineAddresses(context),
  vpsReverseSet: respondWith('Record Updated', (context, { ip, record }) => reverseSetLegacy(context, ip, record)),
};
