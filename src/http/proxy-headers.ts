// Headers that a trusted proxy sets about a caller, such as the country of its address. Without a proxy in front, anybody
// could set them, so they do not exist.
import type { FastifyRequest } from 'fastify';
import type { ReadProxyHeader } from '#app/caller.ts';

/** `ips` has more than one address only if the connection came from a trusted proxy that named its caller. */
export function proxyHeaderReader(request: Pick<FastifyRequest, 'headers' | 'ips'>): ReadProxyHeader | undefined {
  if ((request.ips?.length ?? 0) < 2) return undefined;
  return (name) => {
    const value = request.headers[name.toLowerCase()];
    return typeof value === 'string' ? value : undefined;
  };
}
