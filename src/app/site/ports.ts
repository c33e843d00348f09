// Assigns switch ports to services: the service that the file names, or the one that has the server at the other end of
// the cable. Ports that the file does not mention keep their service.
import type { Site } from '#contract/site/site.ts';
import { serviceLoad, serviceOfServer, type Service } from '#store/devices/services.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import type { Queries } from '#store/store.ts';
import { portPut, portsOfSwitch, type Port } from '#store/network/switches.ts';
import { entryName, type RemovedNames } from './settings.ts';

interface DesiredPort {
  readonly service?: number | undefined;
  readonly server?: string | undefined;
}

/** Requires that servers, services and switches have been applied. */
export async function applyPorts(queries: Queries, site: Site, removed: RemovedNames, now: number): Promise<void> {
  const recabled = new Set((site.servers ?? []).flatMap(({ name, ports }) => (ports ? [name.toLowerCase()] : [])));
  for (const { name } of site.switches ?? []) {
    const storedPorts = new Map((await portsOfSwitch(queries, name)).map((port) => [port.if_index, port]));
    const desired = desiredPorts(site, name);
    for (const if_index of new Set([...desired.keys(), ...storedPorts.keys()])) {
      const isRemoved = removed.has(entryName('ports', if_index, 'of', name));
      const retained = isRemoved ? undefined : retainedPort(storedPorts.get(if_index), recabled);
      const { service, server = retained?.server ?? null } = desired.get(if_index) ?? {};
      const named = service ?? (server === null ? (retained?.service_id ?? undefined) : undefined);
      const found =
        named === undefined && server !== null ? serviceOfServer(queries, server) : serviceLoad(queries, named ?? 0);
      await portPut(queries, { switch: name, if_index, service_id: currentId(await found), server });
    }
  }
  await portHoldingsSync(queries, now);
}

function desiredPorts({ servers = [], switches = [] }: Site, switchName: string): Map<number, DesiredPort> {
  const desired = new Map<number, DesiredPort>();
  for (const { ifIndex, service } of switches.find(({ name }) => name === switchName)?.ports ?? [])
    desired.set(ifIndex, { service });
  for (const { name, ports = [] } of servers) {
    for (const { switch: otherSwitch, ifIndex } of ports)
      if (otherSwitch === switchName) desired.set(ifIndex, { ...desired.get(ifIndex), server: name.toLowerCase() });
  }
  return desired;
}

/** Returns undefined for a port that led to a server whose cables the file lists anew. */
function retainedPort(port: Port | undefined, recabled: ReadonlySet<string>): Port | undefined {
  return port?.server != null && recabled.has(port.server) ? undefined : port;
}

/** A terminated service has no ports, even if the file still names them. */
function currentId(service: Service | undefined): number | null {
  return service === undefined || service.status === 'Terminated' ? null : service.id;
}
