// All resources of a lab Redfish service in their current state.
import { accountResources, accountService, sessionService, sessionsPath } from './account-resources.ts';
import { inventoryResources } from './inventory.ts';
import type { RedfishMachine } from './machine.ts';
import { managerResources } from './manager.ts';
import { mediaResources } from './media.ts';
import { managerPath, systemPath } from './paths.ts';
import { collection, link, root, type Resources } from './resource.ts';
import { logResources, sensorResources } from './sensors.ts';
import { systemResources } from './system.ts';

export function allResources(machine: RedfishMachine): Resources {
  return {
    '/redfish': { isOpen: true, body: { v1: `${root}/` } },
    [root]: {
      isOpen: true,
      body: {
        '@odata.id': `${root}/`,
        '@odata.type': '#ServiceRoot.v1_15_0.ServiceRoot',
        Id: 'RootService',
        Name: 'Root Service',
        Vendor: machine.personality.vendor,
        RedfishVersion: '1.18.0',
        ...(machine.personality.expands === true && {
          ProtocolFeaturesSupported: { ExpandQuery: { NoLinks: true } },
        }),
        UUID: machine.uuid,
        Systems: link(`${root}/Systems`),
        Managers: link(`${root}/Managers`),
        Chassis: link(`${root}/Chassis`),
        AccountService: link(accountService),
        ...(machine.personality.lacksSessions === true
          ? {}
          : { SessionService: link(sessionService), Links: { Sessions: link(sessionsPath) } }),
      },
    },
    [`${root}/Systems`]: collection(`${root}/Systems`, 'ComputerSystem', [systemPath(machine)]),
    [`${root}/Managers`]: collection(`${root}/Managers`, 'Manager', [managerPath]),
    ...systemResources(machine),
    ...managerResources(machine),
    ...mediaResources(machine),
    ...accountResources(machine),
    ...inventoryResources(machine),
    ...sensorResources(machine),
    ...logResources(machine),
  };
}
