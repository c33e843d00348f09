// Compares what LLDP reports at the other end of each cable with the site file. A server that is not known by its MAC addresses
// proves nothing, and neither does silence: only another server of the site is wrong.
import type { Neighbour } from '#drivers/switch/driver.ts';
import { serversByMac } from '#store/devices/servers.ts';
import { portServers, type Port } from '#store/network/switches.ts';
import type { Queries } from '#store/store.ts';

/** Returns the server that each wrongly cabled port leads to, by the port's id. `found` are the ports with their number now. */
export async function findMiscabled(
  queries: Queries,
  name: string,
  found: Iterable<{ readonly port: Pick<Port, 'id'>; readonly ifIndex: number }>,
  neighbours: readonly Neighbour[],
): Promise<ReadonlyMap<number, string>> {
  const expected = await portServers(queries, name);
  const servers = await serversByMac(queries, [...new Set(neighbours.flatMap(({ macs }) => macs))]);
  const miscabled = new Map<number, string>();
  for (const { port, ifIndex } of found) {
    const seen = neighbours
      .filter((neighbour) => neighbour.ifIndex === ifIndex)
      .flatMap(({ macs }) => macs.flatMap((mac) => servers.get(mac) ?? []));
    const server = expected.get(port.id);
    if (server !== undefined && seen.length > 0 && !seen.includes(server)) miscabled.set(port.id, seen[0]!);
  }
  return miscabled;
}
