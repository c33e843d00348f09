// The command that helps whoever runs DHCP for servers that boot from the network.
import ipaddr from 'ipaddr.js';
import { InvalidArgumentError, type Command } from 'commander';
import { firmwareNames, splitListen } from '#app/reload/first-stage.ts';
import { dnsmasqConfiguration } from '#app/reload/install/dnsmasq.ts';
import { AdminError } from '#app/admin-error.ts';
import { bootSettings } from '#app/site/systems.ts';
import type { SiteBoot } from '#contract/site-systems.ts';
import { say, withYard } from '../command-line.ts';

interface DnsmasqOptions {
  readonly network: Ipv4Network;
  readonly range?: { readonly first: string; readonly last: string };
  readonly gateway?: string;
}
interface Ipv4Network {
  readonly network: string;
  readonly netmask: string;
}

export function dnsmasq(command: Command): void {
  command
    .requiredOption('--network <cidr>', 'where the servers are, such as 192.0.2.0/24', ipv4Network)
    .option('--range <first,last>', 'addresses to give; another DHCP server gives them unless told', ipv4Range)
    .option('--gateway <address>', 'their gateway', ipv4Address)
    .action((options: DnsmasqOptions) =>
      withYard(async (yard) => {
        const boot = await bootSettings(yard.store.queries);
        if (boot === undefined) throw new AdminError('the site file says nothing of boot');
        say(
          dnsmasqConfiguration({
            ...options.network,
            range: options.range,
            gateway: options.gateway,
            firmware: firmwareNames,
            ...reachedAt(boot),
          }).trimEnd(),
        );
      }),
    );
}

/** The two servers as others reach them: an address that listens everywhere tells nobody where that is. */
function reachedAt(boot: SiteBoot): { readonly url: string; readonly tftpAddress: string } {
  const { address, port } = splitListen(boot.listen);
  const url = boot.url ?? (isEverywhere(address) || port === 0 ? undefined : `http://${address}:${port}`);
  if (url === undefined) throw new AdminError('the site file must say boot.url: how servers reach the boot server');
  const { address: tftp } = splitListen(boot.tftp ?? boot.listen);
  return { url: url.replace(/\/$/, ''), tftpAddress: isEverywhere(tftp) ? new URL(url).hostname : tftp };
}

function isEverywhere(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

function ipv4Address(text: string): string {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text)) throw new InvalidArgumentError('must be an IPv4 address');
  return text;
}

function ipv4Network(text: string): Ipv4Network {
  if (!ipaddr.IPv4.isValidCIDR(text)) throw new InvalidArgumentError('must be a network such as 192.0.2.0/24');
  const [, length] = ipaddr.IPv4.parseCIDR(text);
  return {
    network: ipaddr.IPv4.networkAddressFromCIDR(text).toString(),
    netmask: ipaddr.IPv4.subnetMaskFromPrefixLength(length).toString(),
  };
}

function ipv4Range(text: string): { first: string; last: string } {
  const [first = '', last = ''] = text.split(',').map((part) => ipv4Address(part.trim()));
  if (last === '') throw new InvalidArgumentError('must be two addresses with a comma between');
  return { first, last };
}
