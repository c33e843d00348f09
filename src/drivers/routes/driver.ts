// What Hostyard asks of a router: to announce single addresses as routes to nowhere, to take them back, and to say which of
// ours it has. A driver throws Fault `router_unreachable` where the router did not answer, and what it has is then unknown;
// and `router_error` where it answered wrongly or refused. Announcing what is announced, and withdrawing what is not there,
// succeeds.
import type { Static, TSchema } from 'typebox';
import { parseAddress } from '#kernel/addresses.ts';
import { Fault } from '#kernel/fault.ts';

export interface RouteAnnouncer extends AsyncDisposable {
  /** Each address alone, as a /32 or /128: there is no way to ask for more. */
  announce(addresses: readonly string[], signal: AbortSignal): Promise<void>;
  withdraw(addresses: readonly string[], signal: AbortSignal): Promise<void>;
  /** The addresses that the router announces on our behalf, in one spelling. What others put there is not among them. */
  list(signal: AbortSignal): Promise<readonly string[]>;
  /** Calls the listener whenever the router is there again after it was away: it may have forgotten everything. */
  onReturn?(listener: () => void): void;
}

export interface RouteDriver<S extends TSchema> {
  readonly name: string;
  readonly settings: S;
  open(settings: Static<S>, signal: AbortSignal): Promise<RouteAnnouncer>;
}

export interface HostRoute {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefixLength: 32 | 128;
}

/** Before anything is sent: routers take nonsense for 0.0.0.0. */
export function hostRoute(text: string): HostRoute {
  const address = parseAddress(text);
  if (address === undefined) throw new Fault('router_error', { internal: `${text} is no address to be routed` });
  const family = address.kind();
  return { address: address.toString(), family, prefixLength: family === 'ipv4' ? 32 : 128 };
}
