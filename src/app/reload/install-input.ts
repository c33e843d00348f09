// What an installer is told of a server: its name, its place in the network, its disks. Put together from what the site file and
// the customer said, each time anew, so that it is as true as the database.
import { readSortable, sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import { netblockList, netblocksAround, type Netblock } from '#store/network/netblocks.ts';
import { serverFind, serverMacs, type ServerDisk } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { InstallInput } from './install/input.ts';
import { bootSettings } from '../site/systems.ts';

/** All of it but the secrets. */
export async function installServer(
  queries: Queries,
  service: Service,
  server: string,
): Promise<Omit<InstallInput, 'passwordHash' | 'sshKeys'>> {
  const row = await serverFind(queries, server);
  const disks = JSON.parse(row?.disks ?? '[]') as ServerDisk[];
  const places = [await placeOf(queries, service.ip), await firstIpv6(queries, service)].filter(
    (place) => place !== undefined,
  );
  return {
    hostname: service.hostname,
    mac: (await serverMacs(queries, server))[0] ?? '',
    ...(row?.firmware == null ? {} : { firmware: row.firmware }),
    addresses: places.map(({ address }) => address),
    gateways: places.flatMap(({ gateway }) => gateway ?? []),
    nameservers: (await bootSettings(queries))?.nameservers ?? [],
    disks: disks.map(({ serial, sizeGb }) => ({ serial, sizeGb })),
    preserve: disks.filter(({ preserve }) => preserve === true).map(({ serial }) => serial),
  };
}

interface Place {
  /** With the length of the network that it shares with its gateway. */
  readonly address: string;
  readonly gateway: string | null;
}

async function placeOf(queries: Queries, ip: string): Promise<Place | undefined> {
  const around = await netblocksAround(queries, sortableAddress(parseAddress(ip)!));
  const network = around.find(({ gateway }) => gateway !== null) ?? around.at(-1);
  return network === undefined ? undefined : { address: `${ip}/${lengthOf(network)}`, gateway: network.gateway };
}

/** Beside its main address: the first of its IPv6 blocks that stands on a wire with a gateway. */
async function firstIpv6(queries: Queries, service: Service): Promise<Place | undefined> {
  if (service.ip.includes(':')) return undefined;
  for (const block of await netblockList(queries, service.account_id, service.id)) {
    if (!block.first.startsWith('6')) continue;
    const place = await placeOf(queries, readSortable(block.first));
    if (place !== undefined && place.gateway !== null) return place;
  }
  return undefined;
}

function lengthOf({ cidr }: Netblock): string {
  return cidr.slice(cidr.indexOf('/') + 1);
}
