// The lab's two racks and the positions of its equipment.
import type { SiteRack, rackPlace } from '#contract/site/racks.ts';
import { labSwitchName } from './network.ts';
import { labHypervisorName } from './hypervisor/machines.ts';

export const labRacks: SiteRack[] = [
  { name: 'dc01r01', place: 'Data centre 1, row A' },
  { name: 'dc01r02', place: 'Data centre 1, row A' },
];

type RackPosition = { readonly [Member in keyof typeof rackPlace]: Member extends 'rack' ? string : number };
/** By device name. */
export const labRackPositions: Readonly<Record<string, RackPosition>> = {
  [labSwitchName]: { rack: 'dc01r01', unit: 42, height: 1 },
  dc01r01ds01: { rack: 'dc01r01', unit: 20, height: 1 },
  'dc01r01ds02-01': { rack: 'dc01r01', unit: 17, height: 2 },
  dc01r02ds01: { rack: 'dc01r02', unit: 20, height: 1 },
  [labHypervisorName]: { rack: 'dc01r02', unit: 10, height: 4 },
};
