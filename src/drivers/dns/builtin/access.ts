// Decides who may transfer zones: secondaries, identified by address or TSIG key.
import { BlockList, isIPv6 } from 'node:net';
import type { TsigKey } from '#protocols/dns/tsig.ts';

export interface TransferAccess {
  mayTransfer(address: string, key: TsigKey | undefined): boolean;
  key(name: string): TsigKey | undefined;
}

/** `networks` are addresses or prefixes (192.0.2.0/24, 2001:db8::53). */
export function transferAccess(networks: readonly string[], keys: readonly TsigKey[]): TransferAccess {
  const allowed = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(prefix), family);
  }
  const byName = new Map(keys.map((key) => [key.name, key]));
  return {
    mayTransfer(address, key) {
      return key !== undefined || allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
    },
    key: (name) => byName.get(name),
  };
}

/** Dual-stack sockets report IPv4 peers as ::ffff:192.0.2.1. */
export function unmapAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
