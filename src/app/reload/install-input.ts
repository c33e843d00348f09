// Collects what an installer needs of a server: its name, network and disks, always read from the database.
import { prefixLengthOf, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { netblocksAround } from '#store/network/netblocks.ts';
import { serverFind, serverMacs, serverDisks } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import type { InstallInput } from './install/input.ts';
import { addressesToSet, type ConfiguredAddress } from '../network/delivery.ts';
import { isStock } from '../services/stock.ts';
import { bootSettings } from '../site/systems.ts';

/** Returns everything but the secrets. */
export async function installServer(
  queries: Queries,
  service: Service,
  server: string,
): Promise<Omit<InstallInput, 'passwordHash' | 'sshKeys'>> {
  const row = await serverFind(queries, server);
  const disks = serverDisks.decode(row?.disks ?? '[]');
  const addresses = await serverAddresses(queries, service);
  return {
    hostname: service.hostname,
    mac: (await serverMacs(queries, server))[0] ?? '',
    ...(row?.firmware == null ? {} : { firmware: row.firmware }),
    addresses: addresses.map(({ address, prefixLength }) => `${address}/${prefixLength}`),
    gateways: addresses.flatMap(({ gateway }) => gateway ?? []),
    nameservers: (await bootSettings(queries))?.nameservers ?? [],
    disks: disks.map(({ serial, sizeGb }) => ({ serial, sizeGb })),
    preserve: disks.filter(({ preserve }) => preserve === true).map(({ serial }) => serial),
  };
}

/** Returns all addresses of the service, the main one first, also if no block of the service contains it. */
async function serverAddresses(queries: Queries, service: Service): Promise<ConfiguredAddress[]> {
  // A server in stock has no address.
  if (isStock(service)) return [];
  const assigned = await addressesToSet(queries, service);
  if (assigned.some(({ address }) => address === service.ip)) return assigned;
  const around = await netblocksAround(queries, sortableAddress(parseAddress(service.ip)!));
  const network = around.find(({ gateway }) => gateway !== null) ?? around.at(-1);
  if (network === undefined) return assigned;
  const { gateway } = network;
  const main = { address: service.ip, prefixLength: prefixLengthOf(network), ...(gateway !== null && { gateway }) };
  return [main, ...assigned];
}
