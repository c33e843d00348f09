// What can be wrong with how servers are known on the network, beyond the shape: each card, UUID and disk belongs to one server, and
// a gateway lies in the block that it is of.
import type { Site } from '#contract/site.ts';
import { macText, networkContains, parseAddress, parseNetwork } from '#kernel/addresses.ts';
import type { PlacedFault } from './placed-fault.ts';

export function* bootFaults({ servers = [], netblocks = [] }: Site): Iterable<PlacedFault> {
  const seen = new Set<string>();
  const isTwice = (text: string): boolean => seen.size === seen.add(text).size;
  for (const [index, { macs = [], uuid, disks = [] }] of servers.entries()) {
    const path = ['servers', index];
    for (const [place, mac] of macs.entries())
      if (isTwice(`card ${macText(mac)}`)) yield [[...path, 'macs', place], `${mac} is there twice`];
    if (uuid !== undefined && isTwice(`uuid ${uuid.toLowerCase()}`))
      yield [[...path, 'uuid'], `${uuid} is there twice`];
    for (const [place, { serial }] of disks.entries())
      if (isTwice(`disk ${index} ${serial}`)) yield [[...path, 'disks', place, 'serial'], `${serial} is there twice`];
  }
  for (const [index, { cidr, gateway }] of netblocks.entries())
    if (gateway !== undefined && !networkContains(parseNetwork(cidr)!, parseAddress(gateway)!))
      yield [['netblocks', index, 'gateway'], `${gateway} does not lie in ${cidr}`];
}
