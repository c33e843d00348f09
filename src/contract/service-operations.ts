// The operations that name a service, its device or its addresses, by the names that the audit log has for them. Someone
// who is limited to certain services sees them only for these.
import type { TSchema } from 'typebox';
import { servedApis } from './contract.ts';
import type { Endpoint } from './endpoint.ts';
import { IpAddress } from './parameters.ts';

const serviceParameters = new Set(['service', 'server', 'vmid']);

interface Described extends TSchema {
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly 'x-reason'?: string;
}

function namesAddress({ items, properties = {}, 'x-reason': reason }: Described): boolean {
  if (reason === (IpAddress as Described)['x-reason']) return true;
  return [...(items === undefined ? [] : [items]), ...Object.values(properties)].some(namesAddress);
}

function namesService({ params }: Endpoint): boolean {
  return Object.entries(params).some(([name, schema]) => serviceParameters.has(name) || namesAddress(schema));
}

/** Every operation of staff counts, because they name services in many ways. */
export const serviceOperations: ReadonlySet<string> = new Set(
  Object.entries(servedApis).flatMap(([api, endpoints]) =>
    Object.entries<Endpoint>(endpoints)
      .filter(([, declaration]) => api === 'operator' || namesService(declaration))
      .map(([name]) => `${api}.${name}`),
  ),
);
