// Assigns switch ports to services: the service that the file names, or the one that has the server at the other end of
// the cable. Ports that the file does not mention keep their service.
import type { Site, SiteSwitch } from '#contract/site/site.ts';
import { serviceHolders, type Service } from '#store/devices/services.ts';
import { portHoldingsSync } from '#store/network/port-holdings.ts';
import type { Queries } from '#store/store.ts';
import { isAssigned } from '#equipment/port-binding.ts';
import { allPorts, portKeyRelease, portsPut, portUnbind, type Port, type SitePort } from '#store/network/switches.ts';
import { differs } from './equipment.ts';
import { siteKeys, type StoredKey } from './port-keys.ts';
import { entryName, type RemovedNames } from './settings.ts';

interface DesiredPort {
  readonly service?: number | undefined;
  readonly server?: string | undefined;
  readonly key?: StoredKey | undefined;
}

/** Requires that servers, services and switches have been applied. */
export async function applyPorts(queries: Queries, site: Site, removed: RemovedNames, now: number): Promise<void> {
  const recabled = new Set((site.servers ?? []).flatMap(({ name, ports }) => (ports ? [name.toLowerCase()] : [])));
  const switchPorts = Map.groupBy(await allPorts(queries), (port) => port.switch);
  const allChanged: SitePort[] = [];
  const wires = wiresBySwitch(site);
  const services = await serviceHolders(queries);
  const byId = new Map(services.map((service) => [service.id, service]));
  const byServer = new Map(services.map((service) => [service.server, service]));
  for (const { name, ports } of site.switches ?? []) {
    const storedPorts = new Map((switchPorts.get(name) ?? []).map((port) => [port.if_index, port]));
    const desired = desiredPorts(ports, wires.get(name));
    const changed: SitePort[] = [];
    for (const if_index of new Set([...desired.keys(), ...storedPorts.keys()])) {
      const stored = storedPorts.get(if_index);
      const isRemoved = removed.has(entryName('ports', if_index, 'of', name));
      const retained = isRemoved ? undefined : retainedPort(stored, recabled);
      const { service, server = retained?.server ?? null, key } = desired.get(if_index) ?? {};
      const named = service ?? (server === null ? (retained?.service_id ?? undefined) : undefined);
      const holder = named === undefined && server !== null ? byServer.get(server) : byId.get(named ?? 0);
      const { key_by, key: value } = key ?? stored ?? { key_by: null, key: null };
      const port = { switch: name, if_index, service_id: currentId(holder), server, key_by, key: value };
      if (!differs(stored, port)) continue;
      if (key === undefined && stored !== undefined) rejectRenumbered(stored, port);
      changed.push(port);
    }
    rejectSharedKeys(name, [...storedPorts.values()], changed);
    // All before the first is stored: ports may have exchanged their keys.
    for (const { if_index, key_by, key } of changed) {
      const stored = storedPorts.get(if_index);
      if (stored !== undefined && differs(stored, { key_by, key })) await portUnbind(queries, stored);
    }
    for (const port of changed) if (port.key !== null) await portKeyRelease(queries, port);
    allChanged.push(...changed);
  }
  await portsPut(queries, allChanged);
  if (allChanged.length > 0) await portHoldingsSync(queries, now);
}

/**
 * The switch has renumbered its ports since this one was first seen. A file that gives it to another server or service may
 * mean the port that has the number now.
 */
function rejectRenumbered(stored: Port, port: Pick<Port, 'server' | 'service_id'>): void {
  const { switch: name, if_index, current_index, key_by, key } = stored;
  const isMoved = current_index !== null && current_index !== if_index;
  const isSame = port.server === null ? port.service_id === stored.service_id : port.server === stored.server;
  if (isMoved && !isSame && isAssigned(port))
    throw new Error(
      `port ${if_index} of ${name} (${key_by} ${key}) now has the number ${current_index}: add its ${key_by} to the file to identify the port`,
    );
}

function rejectSharedKeys(
  name: string,
  stored: readonly Port[],
  changed: readonly Pick<Port, 'if_index' | 'service_id' | 'server' | 'key_by' | 'key'>[],
): void {
  const ports = new Map([...stored, ...changed].map((port) => [port.if_index, port]));
  const owners = new Map<string, number>();
  for (const port of ports.values()) {
    if (port.key === null || !isAssigned(port)) continue;
    const key = `${port.key_by} ${port.key}`;
    const other = owners.get(key);
    if (other !== undefined)
      throw new Error(
        `ports ${other} and ${port.if_index} of ${name} both have the ${key}: correct one of them, or remove it from the file and pass --prune`,
      );
    owners.set(key, port.if_index);
  }
}

interface Wire {
  readonly ifIndex: number;
  readonly server: string;
  readonly key: StoredKey | undefined;
}

function wiresBySwitch({ servers = [] }: Site): Map<string, Wire[]> {
  const wires = servers.flatMap(({ name, ports = [] }) =>
    ports.map((port) => ({
      switch: port.switch,
      ifIndex: port.ifIndex,
      server: name.toLowerCase(),
      key: siteKeys(port)[0],
    })),
  );
  return Map.groupBy(wires, (wire) => wire.switch);
}

function desiredPorts(ports: SiteSwitch['ports'] = [], wires: readonly Wire[] = []): Map<number, DesiredPort> {
  const desired = new Map<number, DesiredPort>(
    ports.map(({ ifIndex, service, ...port }) => [ifIndex, { service, key: siteKeys(port)[0] }]),
  );
  for (const { ifIndex, server, key = desired.get(ifIndex)?.key } of wires)
    desired.set(ifIndex, { ...desired.get(ifIndex), server, key });
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
