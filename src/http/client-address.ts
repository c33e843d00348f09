// The caller's address behind proxies, for connections that bypass Fastify: the last address in X-Forwarded-For that is
// not a trusted proxy. The header is believed only if it comes from a trusted proxy.
import type { IncomingMessage } from 'node:http';
import { networkContains, parseAddress, parseNetwork } from '#lib/addresses.ts';

/** Returns a predicate for the addresses of trusted proxies. */
export function proxyMatcher(trustedProxies: readonly string[]): (address: string) => boolean {
  const networks = trustedProxies.map(parseNetwork).filter((network) => network !== undefined);
  return (text) => {
    const address = parseAddress(text);
    return address !== undefined && networks.some((network) => networkContains(network, address));
  };
}

export function findClientAddress(request: IncomingMessage, trustedProxies: readonly string[]): string {
  const isProxy = proxyMatcher(trustedProxies);
  const hops = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  let address = request.socket.remoteAddress ?? '';
  while (isProxy(address) && hops.length > 0) address = hops.pop()!;
  return address;
}
