// A server's addresses in the form that installers need: one main address per family with its gateway, and the rest.
import ipaddr from 'ipaddr.js';
import type { InstallInput } from './input.ts';

export interface InstallFamily {
  readonly address: string;
  readonly prefix: number;
  readonly gateway: string | undefined;
}
export interface InstallNetwork {
  readonly v4: (InstallFamily & { readonly netmask: string }) | undefined;
  readonly v6: InstallFamily | undefined;
  /** In CIDR form. */
  readonly more: readonly string[];
}

export function installNetwork({ addresses, gateways }: Pick<InstallInput, 'addresses' | 'gateways'>): InstallNetwork {
  const isFour = (text: string): boolean => !text.includes(':');
  const main = (isInFamily: typeof isFour): InstallFamily | undefined => {
    const [address, prefix] = addresses.find(isInFamily)?.split('/') ?? [];
    return address === undefined ? undefined : { address, prefix: Number(prefix), gateway: gateways.find(isInFamily) };
  };
  const v4 = main(isFour);
  const v6 = main((text) => !isFour(text));
  const mains = new Set([v4, v6].map((family) => family && `${family.address}/${family.prefix}`));
  return {
    v4: v4 && { ...v4, netmask: ipaddr.IPv4.subnetMaskFromPrefixLength(v4.prefix).toString() },
    v6,
    more: addresses.filter((address) => !mains.has(address)),
  };
}

/** Returns netplan settings, which cloud-init and Ubuntu's installer read. */
export function netplan(input: InstallInput): object {
  return {
    version: 2,
    ethernets: {
      main: {
        match: { macaddress: input.mac },
        dhcp4: false,
        dhcp6: false,
        'accept-ra': false,
        addresses: input.addresses,
        routes: input.gateways.map((gateway) => ({
          to: gateway.includes(':') ? '::/0' : '0.0.0.0/0',
          via: gateway,
          // The gateway of a /32 or /128 is outside that network.
          'on-link': true,
        })),
        nameservers: { addresses: input.nameservers },
      },
    },
  };
}
