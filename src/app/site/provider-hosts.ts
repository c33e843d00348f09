// Finds the hosts in a site file that customers may not make us call: equipment, name servers, the router, and whatever
// else Hostyard itself calls or listens on. Looks at every text of these sections rather than at known fields, so that a
// setting of a new driver cannot be forgotten.
import type { Site } from '#contract/site/site.ts';
import { parseNetwork } from '#lib/addresses.ts';

export interface ProviderHosts {
  /** Addresses and names. */
  readonly equipment: readonly string[];
  /** Networks and addresses that servers boot in, which may also be their customers' own. */
  readonly bootNetworks: readonly string[];
}

const sections = [
  'servers',
  'switches',
  'pdus',
  'nodes',
  'nameserver',
  'boot',
  'media',
  'screens',
  'consoles',
  'nullroutes',
  'detectors',
  'licenceHook',
  'invoiceDelivery',
  'exchangeRates',
  'backups',
  'mail',
] as const satisfies readonly (keyof Site)[];
/** Fields that hold a bare host name. */
const nameFields: ReadonlySet<string> = new Set(['address', 'host', 'consoleHost', 'names']);
const hostAndPort = /^(?:\[([^\]]+)\]|([^:/\s]+)):[0-9]{1,5}$/;

export function providerHosts(site: Partial<Site>): ProviderHosts {
  const equipment = new Set<string>();
  const collect = (value: unknown, field: string): void => {
    if (field === 'bootAddress' || field === 'networks') return;
    if (Array.isArray(value)) for (const item of value) collect(item, field);
    else if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) collect(inner, name);
    else if (typeof value === 'string') {
      const host = hostOf(value, nameFields.has(field));
      if (host !== undefined) equipment.add(host);
    }
  };
  for (const section of sections) collect(site[section], section);
  const bootAddresses = (site.servers ?? []).flatMap(({ bootAddress }) => bootAddress ?? []);
  return { equipment: [...equipment], bootNetworks: [...(site.boot?.networks ?? []), ...bootAddresses] };
}

/** Returns the address or name in a URL, an address with a port, an address, or a bare name. */
function hostOf(text: string, isName: boolean): string | undefined {
  if (parseNetwork(text) !== undefined) return text;
  const [, bracketed, plain] = hostAndPort.exec(text) ?? [];
  const host = text.includes('://') ? URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') : (bracketed ?? plain);
  const name = host ?? (isName ? text : '');
  if (parseNetwork(name) !== undefined) return name;
  return /[a-z]/i.test(name) ? name : undefined;
}
