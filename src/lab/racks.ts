// Where the lab's equipment stands: two racks of one row.
import type { SiteRack, rackPlace } from '#contract/site-racks.ts';
import { labSwitchName } from './network.ts';
import { labNodeName } from './node/machines.ts';

export const labRacks: SiteRack[] = [
  { name: 'dc01r01', place: 'Data centre 1, row A' },
  { name: 'dc01r02', place: 'Data centre 1, row A' },
];

type Place = { readonly [Member in keyof typeof rackPlace]: Member extends 'rack' ? string : number };
/** By name. */
export const labPlaces: Readonly<Record<string, Place>> = {
  [labSwitchName]: { rack: 'dc01r01', unit: 42, height: 1 },
  dc01r01ds01: { rack: 'dc01r01', unit: 20, height: 1 },
  'dc01r01ds02-01': { rack: 'dc01r01', unit: 17, height: 2 },
  dc01r02ds01: { rack: 'dc01r02', unit: 20, height: 1 },
  [labNodeName]: { rack: 'dc01r02', unit: 10, height: 4 },
};
