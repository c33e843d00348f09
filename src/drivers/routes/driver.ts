// The interface of route drivers: announce and withdraw routes, and list our own. A route leads a block of addresses to
// the device that has it, or drops traffic to a single address. Drivers throw `router_unreachable` if the router does
// not respond, so its state is unknown, and `router_error` if the response is invalid or an error. Announcing an
// existing route and withdrawing a missing one succeed.
import type { Static, TSchema } from 'typebox';
import { networkText } from '#lib/address-ranges.ts';
import { parseAddress, parseNetwork } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';

export interface Route {
  /** In canonical form, such as 192.0.2.0/29. */
  readonly prefix: string;
  /** Undefined for a null route, which drops traffic. */
  readonly nextHop: string | undefined;
}

export interface RouteAnnouncer extends AsyncDisposable {
  /** A router has one route of ours per prefix: announcing another replaces it. */
  announce(routes: readonly Route[], signal: AbortSignal): Promise<void>;
  withdraw(prefixes: readonly string[], signal: AbortSignal): Promise<void>;
  /** Returns the routes that the router announces for us, without those of others. */
  list(signal: AbortSignal): Promise<readonly Route[]>;
  /** Calls the listener after each reconnect, because the router may have lost its routes. */
  onReconnect?(listener: () => void): void;
}

export interface RouteDriver<S extends TSchema> {
  readonly settings: S;
  open(settings: Static<S>): Promise<RouteAnnouncer>;
}

export interface Prefix {
  readonly prefix: string;
  readonly address: string;
  readonly length: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** Shorter prefixes are mistakes that would take a large part of the Internet. */
const shortestLength = { ipv4: 8, ipv6: 16 } as const;
const hostLength = { ipv4: 32, ipv6: 128 } as const;

/** Checked before anything is sent, because routers parse invalid input as 0.0.0.0. */
export function parsePrefix(text: string): Prefix {
  const network = text.includes('/') ? parseNetwork(text) : undefined;
  const family = network?.base.kind();
  if (network === undefined || family === undefined || network.prefixLength < shortestLength[family])
    throw new ApiError('router_error', { internal: `${text} is not a prefix that can be routed` });
  const prefix = networkText(network);
  return { prefix, address: prefix.slice(0, prefix.indexOf('/')), length: network.prefixLength, family };
}

/** Returns the route in canonical form. A null route is for a single address, a next hop of the same family. */
export function parseRoute({ prefix: text, nextHop }: Route): Prefix & Route {
  const prefix = parsePrefix(text);
  const hop = nextHop === undefined ? undefined : parseAddress(nextHop);
  const isValid = nextHop === undefined ? prefix.length === hostLength[prefix.family] : hop?.kind() === prefix.family;
  if (!isValid) throw new ApiError('router_error', { internal: `${text} cannot be routed to ${nextHop ?? 'nowhere'}` });
  return { ...prefix, nextHop: hop?.toString() };
}

/** Returns the prefix of a single address. */
export function hostPrefix(address: string): string {
  return `${address}/${address.includes(':') ? hostLength.ipv6 : hostLength.ipv4}`;
}
