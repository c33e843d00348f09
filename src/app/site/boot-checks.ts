// Checks how servers are identified on the network: each MAC address and UUID belongs to one server, disk serials
// differ within a server, and a gateway is within its netblock.
import type { Site } from '#contract/site/site.ts';
import { macText, networkContains, parseAddress, parseNetwork } from '#lib/addresses.ts';
import type { SiteProblem } from './site-problem.ts';

export function* checkNetworkIdentity({ servers = [], netblocks = [] }: Site): Iterable<SiteProblem> {
  const seen = new Set<string>();
  const isTwice = (text: string): boolean => seen.size === seen.add(text).size;
  for (const [index, { macs = [], uuid, disks = [] }] of servers.entries()) {
    const path = ['servers', index];
    for (const [position, mac] of macs.entries())
      if (isTwice(`card ${macText(mac)}`))
        yield [[...path, 'macs', position], `MAC address ${mac} is listed twice; it belongs to one server`];
    if (uuid !== undefined && isTwice(`uuid ${uuid.toLowerCase()}`))
      yield [[...path, 'uuid'], `UUID ${uuid} is listed twice; it belongs to one server`];
    for (const [position, { serial }] of disks.entries())
      if (isTwice(`disk ${index} ${serial}`))
        yield [[...path, 'disks', position, 'serial'], `disk serial ${serial} is listed twice; list each disk once`];
  }
  for (const [index, { cidr, gateway }] of netblocks.entries())
    if (gateway !== undefined && !networkContains(parseNetwork(cidr)!, parseAddress(gateway)!))
      yield [['netblocks', index, 'gateway'], `gateway ${gateway} is not in ${cidr}; use an address of the netblock`];
}
