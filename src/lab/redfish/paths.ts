// Where the main resources of a lab Redfish service stand. Sushy names systems by their UUID, others by whatever they like: no
// client can guess it, all must follow the links.
import type { RedfishMachine } from './machine.ts';
import { root } from './resource.ts';

export const managerPath = `${root}/Managers/BMC`;

export function systemPath({ layout, uuid }: RedfishMachine): string {
  return `${root}/Systems/${layout === 'systems' ? uuid : '437XR1138R2'}`;
}

export function mediaPath(machine: RedfishMachine): string {
  return `${machine.layout === 'systems' ? systemPath(machine) : managerPath}/VirtualMedia`;
}
