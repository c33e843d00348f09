// The Manager of a lab Redfish service: the BMC itself, which can be restarted.
import type { RedfishMachine } from './machine.ts';
import { badValue, noContent } from './response.ts';
import { mediaLink } from './media.ts';
import { managerPath } from './paths.ts';
import { resourceBody, type Resources } from './resource.ts';
import { logLink } from './sensors.ts';

const reset = `${managerPath}/Actions/Manager.Reset`;
const resetTypes = ['GracefulRestart', 'ForceRestart'];

export function managerResources(machine: RedfishMachine): Resources {
  return {
    [managerPath]: {
      body: resourceBody(managerPath, 'Manager.v1_18_0', 'Lab BMC', {
        ManagerType: 'BMC',
        FirmwareVersion: machine.malfunctions().firmware?.bmc ?? '1.0',
        ...logLink(machine, 'manager'),
        ...mediaLink(machine, 'managers'),
        Actions: { '#Manager.Reset': { target: reset, 'ResetType@Redfish.AllowableValues': resetTypes } },
      }),
    },
    [reset]: {
      isProtected: true,
      post: ({ ResetType: type }) => {
        if (typeof type !== 'string' || !resetTypes.includes(type)) return badValue('ResetType');
        machine.restart();
        return noContent;
      },
    },
  };
}
