// Collects what an installer needs of a server: its name, network and disks, always read from the database.
import { prefixLengthOf, readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { netblockList, netblocksAround } from '#store/network/netblocks.ts';
import { serverFind, serverMacs, serverDisks } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { InstallInput } from './install/input.ts';
import { bootSettings } from '../site/systems.ts';

/** Returns everything but the secrets. */
export async function installServer(
  queries: Queries,
  service: Service,
  server: string,
): Promise<Omit<InstallInput, 'passwordHash' | 'sshKeys'>> {
  const row = await serverFind(queries, server);
  const disks = serverDisks.decode(row?.disks ?? '[]');
  const networkAddresses = [await networkAddress(queries, service.ip), await firstIpv6(queries, service)].filter(
    (candidate) => candidate !== undefined,
  );
  return {
    hostname: service.hostname,
    mac: (await serverMacs(queries, server))[0] ?? '',
    ...(row?.firmware == null ? {} : { firmware: row.firmware }),
    addresses: networkAddresses.map(({ address }) => address),
    gateways: networkAddresses.flatMap(({ gateway }) => gateway ?? []),
    nameservers: (await bootSettings(queries))?.nameservers ?? [],
    disks: disks.map(({ serial, sizeGb }) => ({ serial, sizeGb })),
    preserve: disks.filter(({ preserve }) => preserve === true).map(({ serial }) => serial),
  };
}

interface NetworkAddress {
  /** With the prefix length of the network that it shares with its gateway. */
  readonly address: string;
  readonly gateway: string | null;
}

async function networkAddress(queries: Queries, ip: string): Promise<NetworkAddress | undefined> {
  const around = await netblocksAround(queries, sortableAddress(parseAddress(ip)!));
  const network = around.find(({ gateway }) => gateway !== null) ?? around.at(-1);
  return network === undefined ? undefined : { address: `${ip}/${prefixLengthOf(network)}`, gateway: network.gateway };
}

/** Returns an address from the first of the service's IPv6 blocks whose network has a gateway. */
async function firstIpv6(queries: Queries, service: Service): Promise<NetworkAddress | undefined> {
  if (service.ip.includes(':')) return undefined;
  for (const block of await netblockList(queries, service.account_id, service.id)) {
    if (!block.first.startsWith('6')) continue;
    const candidate = await networkAddress(queries, readSortable(block.first));
    if (candidate !== undefined && candidate.gateway !== null) return candidate;
  }
  return undefined;
}
