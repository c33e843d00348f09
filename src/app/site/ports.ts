// Whose the ports of switches are: of the service that the file names, or of the one that has the server at the other end of
// the wire. What the file does not speak of keeps its owner.
import type { Site } from '#contract/site.ts';
import { serviceOfServer } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { portPut, portsOfSwitch, type Port } from '#store/network/switches.ts';
import { nameOf, type Removed } from './settings.ts';

interface WantedPort {
  readonly service?: number | undefined;
  readonly server?: string | undefined;
}

/** After servers, services and switches. */
export async function applyPorts(queries: Queries, site: Site, removed: Removed): Promise<void> {
  const rewired = new Set((site.servers ?? []).flatMap(({ name, ports }) => (ports ? [name.toLowerCase()] : [])));
  for (const { name } of site.switches ?? []) {
    const before = new Map((await portsOfSwitch(queries, name)).map((port) => [port.if_index, port]));
    const wanted = wantedPorts(site, name);
    for (const if_index of new Set([...wanted.keys(), ...before.keys()])) {
      const isRemoved = removed.has(nameOf('ports', if_index, 'of', name));
      const kept = isRemoved ? undefined : stillWired(before.get(if_index), rewired);
      const { service, server = kept?.server ?? null } = wanted.get(if_index) ?? {};
      const service_id = service ?? (server === null ? kept?.service_id : await serviceOn(queries, server)) ?? null;
      await portPut(queries, { switch: name, if_index, service_id, server });
    }
  }
}

function wantedPorts({ servers = [], switches = [] }: Site, of: string): Map<number, WantedPort> {
  const wanted = new Map<number, WantedPort>();
  for (const { ifIndex, service } of switches.find(({ name }) => name === of)?.ports ?? [])
    wanted.set(ifIndex, { service });
  for (const { name, ports = [] } of servers) {
    for (const { switch: to, ifIndex } of ports)
      if (to === of) wanted.set(ifIndex, { ...wanted.get(ifIndex), server: name.toLowerCase() });
  }
  return wanted;
}

/** A port that led to a server whose wires the file tells anew is free. */
function stillWired(port: Port | undefined, rewired: ReadonlySet<string>): Port | undefined {
  return port?.server != null && rewired.has(port.server) ? undefined : port;
}

async function serviceOn(queries: Queries, server: string): Promise<number | undefined> {
  const service = await serviceOfServer(queries, server);
  return service === undefined || service.status === 'Terminated' ? undefined : service.id;
}
