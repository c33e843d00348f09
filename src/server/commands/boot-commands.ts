// hostyard dnsmasq: a DHCP configuration for servers that boot from the network.
import ipaddr from 'ipaddr.js';
import { InvalidArgumentError, type Command } from 'commander';
import { firmwareNames } from '#app/reload/first-stage.ts';
import { dnsmasqConfiguration } from '#app/reload/install/dnsmasq.ts';
import { networkContains, parseAddress, parseNetwork, type Network } from '#lib/addresses.ts';
import { CommandError } from '#lib/command-error.ts';
import { splitListen } from '#lib/config.ts';
import { bootSettings } from '#app/site/systems.ts';
import type { SiteBoot } from '#contract/site/systems.ts';
import { serverBootAddresses } from '#store/devices/servers.ts';
import { printLine, withApp } from '../command-line.ts';

interface DnsmasqOptions {
  readonly network: Ipv4Network;
  readonly range?: { readonly first: string; readonly last: string };
  readonly gateway?: string;
}
interface Ipv4Network {
  readonly cidr: Network;
  readonly network: string;
  readonly netmask: string;
}

export function dnsmasq(command: Command): void {
  command
    .requiredOption('--network <cidr>', 'Network of the servers, such as 192.0.2.0/24', parseIpv4Network)
    .option('--range <first,last>', 'Addresses to assign (default: another DHCP server assigns them)', parseIpv4Range)
    .option('--gateway <address>', 'Gateway of the servers', parseIpv4Address)
    .action((options: DnsmasqOptions) =>
      withApp(async (app) => {
        const boot = await bootSettings(app.store.queries);
        if (boot === undefined) throw new CommandError('The site file has no boot section.');
        const { cidr, ...network } = options.network;
        const hosts = await serverBootAddresses(app.store.queries);
        printLine(
          dnsmasqConfiguration({
            ...network,
            range: options.range,
            gateway: options.gateway,
            hosts: hosts.filter(({ address }) => networkContains(cidr, parseAddress(address)!)),
            firmware: firmwareNames,
            ...serverAddresses(boot),
          }).trimEnd(),
        );
      }),
    );
}

/** Returns the addresses under which servers reach us. A wildcard address does not tell, so `boot.url` must. */
function serverAddresses(boot: SiteBoot): { readonly url: string; readonly tftpAddress: string } {
  const { host, port } = splitListen(boot.listen);
  const url = boot.url ?? (isWildcard(host) || port === 0 ? undefined : `http://${host}:${port}`);
  if (url === undefined) throw new CommandError('Set boot.url in the site file to the URL of the boot server.');
  const { host: tftp } = splitListen(boot.tftp ?? boot.listen);
  return { url: url.replace(/\/$/, ''), tftpAddress: isWildcard(tftp) ? new URL(url).hostname : tftp };
}

function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

function parseIpv4Address(text: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text)) throw new InvalidArgumentError('must be an IPv4 address');
  return text;
}

function parseIpv4Network(text: string): Ipv4Network {
  if (!ipaddr.IPv4.isValidCIDR(text)) throw new InvalidArgumentError('must be a network such as 192.0.2.0/24');
  const [, length] = ipaddr.IPv4.parseCIDR(text);
  return {
    cidr: parseNetwork(text)!,
    network: ipaddr.IPv4.networkAddressFromCIDR(text).toString(),
    netmask: ipaddr.IPv4.subnetMaskFromPrefixLength(length).toString(),
  };
}

function parseIpv4Range(text: string): { first: string; last: string } {
  const [first = '', last = ''] = text.split(',').map((part) => parseIpv4Address(part.trim()));
  if (last === '') throw new InvalidArgumentError('must be two addresses separated by a comma');
  return { first, last };
}
