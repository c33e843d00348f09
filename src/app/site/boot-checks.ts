// Checks how servers are identified on the network: each MAC address, UUID and boot address belongs to one server, disk serials
// differ within a server, and a gateway is within its netblock.
import type { Site } from '#contract/site/site.ts';
import { addressText, macText, networkContains, parseAddress, parseNetwork } from '#lib/addresses.ts';
import { createDuplicateCheck, type SiteProblem } from './site-problem.ts';

export function* checkNetworkIdentity({ servers = [], netblocks = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  for (const [index, { macs = [], uuid, bootAddress, disks = [] }] of servers.entries()) {
    const path = ['servers', index];
    for (const [position, mac] of macs.entries())
      if (isDuplicate('card', macText(mac)))
        yield [[...path, 'macs', position], `MAC address ${mac} is listed twice; it belongs to one server`];
    if (isDuplicate('uuid', uuid?.toLowerCase()))
      yield [[...path, 'uuid'], `UUID ${uuid} is listed twice; it belongs to one server`];
    if (bootAddress !== undefined && isDuplicate('address', addressText(bootAddress)))
      yield [[...path, 'bootAddress'], `boot address ${bootAddress} is listed twice; it belongs to one server`];
    for (const [position, { serial }] of disks.entries())
      if (isDuplicate(`disk ${index}`, serial))
        yield [[...path, 'disks', position, 'serial'], `disk serial ${serial} is listed twice; list each disk once`];
  }
  for (const [index, { cidr, gateway }] of netblocks.entries())
    if (gateway !== undefined && !networkContains(parseNetwork(cidr)!, parseAddress(gateway)!))
      yield [['netblocks', index, 'gateway'], `gateway ${gateway} is not in ${cidr}; use an address of the netblock`];
}
