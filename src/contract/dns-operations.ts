// The operations that read or change zones, by the names that the audit log has for them. A key that is limited to
// certain DNS records does not see what other keys did with them.
import { servedApis } from './contract.ts';
import type { Endpoint } from './endpoint.ts';

/** An UPDATE message (RFC 2136), which is not an endpoint. */
export const dnsUpdate = 'dns.update';

export const dnsOperations: ReadonlySet<string> = new Set([
  dnsUpdate,
  ...Object.entries(servedApis).flatMap(([api, endpoints]) =>
    Object.entries<Endpoint>(endpoints)
      .filter(([, { access, publishes }]) => publishes === true || access.startsWith('dns:'))
      .map(([name]) => `${api}.${name}`),
  ),
]);
