// Paths of the main resources of a lab Redfish service. System names vary between vendors, so that clients cannot guess
// them and must follow the links.
import type { RedfishMachine } from './machine.ts';
import { root } from './resource.ts';

export const managerPath = `${root}/Managers/BMC`;

export function systemPath({ layout, uuid }: RedfishMachine): string {
  return `${root}/Systems/${layout === 'systems' ? uuid : '437XR1138R2'}`;
}

export function mediaPath(machine: RedfishMachine): string {
  return `${machine.layout === 'systems' ? systemPath(machine) : managerPath}/VirtualMedia`;
}
