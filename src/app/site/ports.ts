// Assigns switch ports to services: the service that the file names, or the one that has the server at the other end of
// the cable. Ports that the file does not mention keep their service.
import type { Site, SiteSwitch } from '#contract/site/site.ts';
import { serviceHolders, type Service } from '#store/devices/services.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import type { Queries } from '#store/store.ts';
import { allPorts, portPut, type Port } from '#store/network/switches.ts';
import { differs } from './equipment.ts';
import { entryName, type RemovedNames } from './settings.ts';

interface DesiredPort {
  readonly service?: number | undefined;
  readonly server?: string | undefined;
}

/** Requires that servers, services and switches have been applied. */
export async function applyPorts(queries: Queries, site: Site, removed: RemovedNames, now: number): Promise<void> {
  const recabled = new Set((site.servers ?? []).flatMap(({ name, ports }) => (ports ? [name.toLowerCase()] : [])));
  const switchPorts = Map.groupBy(await allPorts(queries), (port) => port.switch);
  let isChanged = false;
  const wires = wiresBySwitch(site);
  const services = await serviceHolders(queries);
  const byId = new Map(services.map((service) => [service.id, service]));
  const byServer = new Map(services.map((service) => [service.server, service]));
  for (const { name, ports } of site.switches ?? []) {
    const storedPorts = new Map((switchPorts.get(name) ?? []).map((port) => [port.if_index, port]));
    const desired = desiredPorts(ports, wires.get(name));
    for (const if_index of new Set([...desired.keys(), ...storedPorts.keys()])) {
      const isRemoved = removed.has(entryName('ports', if_index, 'of', name));
      const retained = isRemoved ? undefined : retainedPort(storedPorts.get(if_index), recabled);
      const { service, server = retained?.server ?? null } = desired.get(if_index) ?? {};
      const named = service ?? (server === null ? (retained?.service_id ?? undefined) : undefined);
      const holder = named === undefined && server !== null ? byServer.get(server) : byId.get(named ?? 0);
      const port = { switch: name, if_index, service_id: currentId(holder), server };
      if (!differs(storedPorts.get(if_index), port)) continue;
      await portPut(queries, port);
      isChanged = true;
    }
  }
  if (isChanged) await portHoldingsSync(queries, now);
}

interface Wire {
  readonly ifIndex: number;
  readonly server: string;
}

function wiresBySwitch({ servers = [] }: Site): Map<string, Wire[]> {
  const wires = servers.flatMap(({ name, ports = [] }) =>
    ports.map((port) => ({ switch: port.switch, ifIndex: port.ifIndex, server: name.toLowerCase() })),
  );
  return Map.groupBy(wires, (wire) => wire.switch);
}

function desiredPorts(ports: SiteSwitch['ports'] = [], wires: readonly Wire[] = []): Map<number, DesiredPort> {
  const desired = new Map<number, DesiredPort>(ports.map(({ ifIndex, service }) => [ifIndex, { service }]));
  for (const { ifIndex, server } of wires) desired.set(ifIndex, { ...desired.get(ifIndex), server });
  return desired;
}

/** Returns undefined for a port that led to a server whose cables the file lists anew. */
function retainedPort(port: Port | undefined, recabled: ReadonlySet<string>): Port | undefined {
  return port?.server != null && recabled.has(port.server) ? undefined : port;
}

/** A terminated service has no ports, even if the file still names them. */
function currentId(service: Pick<Service, 'id' | 'status'> | undefined): number | null {
  return service === undefined || service.status === 'Terminated' ? null : service.id;
}
