// The interface of route drivers: announce and withdraw null routes for single addresses, and list our own. Drivers
// throw `router_unreachable` if the router does not respond, so its state is unknown, and `router_error` if the
// response is invalid or an error. Announcing an existing route and withdrawing a missing one succeed.
import type { Static, TSchema } from 'typebox';
import { parseAddress } from '#lib/addresses.ts';
import { ApiError } from '#lib/api-error.ts';

export interface RouteAnnouncer extends AsyncDisposable {
  /** Each address becomes a /32 or /128; larger prefixes cannot be announced. */
  announce(addresses: readonly string[], signal: AbortSignal): Promise<void>;
  withdraw(addresses: readonly string[], signal: AbortSignal): Promise<void>;
  /** Returns the addresses that the router announces for us, in canonical form, without routes of others. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** Calls the listener after each reconnect, because the router may have lost its routes. */
  onReconnect?(listener: () => void): void;
}

export interface RouteDriver<S extends TSchema> {
  readonly settings: S;
  open(settings: Static<S>, signal: AbortSignal): Promise<RouteAnnouncer>;
}

export interface HostRoute {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefixLength: 32 | 128;
}

/** Checked before anything is sent, because routers parse invalid input as 0.0.0.0. */
export function hostRoute(text: string): HostRoute {
  const address = parseAddress(text);
  if (address === undefined)
    throw new ApiError('router_error', { internal: `${text} is not an address that can be routed` });
  const family = address.kind();
  return { address: address.toString(), family, prefixLength: family === 'ipv4' ? 32 : 128 };
}
