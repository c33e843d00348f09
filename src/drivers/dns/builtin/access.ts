// Decides whose signatures are accepted and who may transfer zones. Secondaries, identified by address or by a key of
// the site, may transfer all; a customer's key only what its account may.
import { BlockList, isIPv6 } from 'node:net';
import type { TsigKey } from '#protocols/dns/tsig.ts';
import type { Awaitable, Zone } from './source.ts';

/** A key whose holder signed a request. */
export interface Signer extends TsigKey {
  readonly isCustomer?: true;
}

/** The keys of customers. The database decides what they may do. */
export interface CustomerKeys {
  find(name: string): Promise<TsigKey | undefined>;
  mayTransfer(key: string, zone: string, address: string): Promise<boolean>;
  /** Carries out a signed UPDATE, once per MAC, and returns the response code. */
  update(key: string, request: SignedUpdate): Promise<number>;
}

export interface SignedUpdate {
  readonly bytes: Buffer;
  readonly mac: Buffer;
  readonly address: string;
}

export interface TransferAccess {
  /** Returns undefined if there is no such key. */
  signer(name: string): Awaitable<Signer | undefined>;
  /** Returns true for those who may transfer every zone, and see the catalog. */
  isSecondary(address: string, signer: Signer | undefined): boolean;
  mayTransfer(address: string, signer: Signer | undefined, zone: Zone): Awaitable<boolean>;
}

/** `networks` are addresses or prefixes (192.0.2.0/24, 2001:db8::53). */
export function transferAccess(
  networks: readonly string[],
  keys: readonly TsigKey[],
  customers?: CustomerKeys,
): TransferAccess {
  const allowed = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) allowed.addAddress(address, family);
    else allowed.addSubnet(address, Number(prefix), family);
  }
  const siteKeys = new Map(keys.map((key) => [key.name, key]));
  const isSecondary = (address: string, signer: Signer | undefined): boolean =>
    (signer !== undefined && !signer.isCustomer) || allowed.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  return {
    isSecondary,
    mayTransfer(address, signer, zone) {
      if (isSecondary(address, signer)) return true;
      if (signer === undefined || zone.hidden) return false;
      return customers!.mayTransfer(signer.name, zone.name, address);
    },
    async signer(name) {
      const customerKey = siteKeys.has(name) ? undefined : await customers?.find(name);
      return customerKey === undefined ? siteKeys.get(name) : { ...customerKey, isCustomer: true };
    },
  };
}

/** Dual-stack sockets report IPv4 peers as ::ffff:192.0.2.1. */
export function unmapAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
