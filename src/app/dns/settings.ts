// What the provider's site says of names, kept in the database so that every node goes by the same.
import type { Site } from '#contract/site.ts';
import { invalid } from '#kernel/fault.ts';
import { metaFind, metaPut } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { parentName, parseName } from '#wire/dns/name.ts';

export interface DnsSettings {
  /** Of the NS records of a new zone; none where the provider runs no name server. */
  readonly names: readonly string[];
  readonly hostmaster: string;
  readonly lastLabel: number;
}

const metaName = 'dns';
const documentedLastLabel = 6;
const none: DnsSettings = { names: [], hostmaster: '', lastLabel: documentedLastLabel };

export async function dnsSettingsPut(queries: Queries, site: Site): Promise<void> {
  const names = (site.nameserver?.names ?? []).map((name) => parseName(name));
  const hostmaster = site.nameserver?.hostmaster ?? `hostmaster.${parentName(names[0] ?? '')}`;
  const lastLabel = site.provider.lastLabel ?? documentedLastLabel;
  const settings: DnsSettings = { names, hostmaster: parseName(hostmaster), lastLabel };
  await metaPut(queries, metaName, JSON.stringify(settings));
}

export async function dnsSettings(queries: Queries): Promise<DnsSettings> {
  const text = await metaFind(queries, metaName);
  return text === undefined ? none : (JSON.parse(text) as DnsSettings);
}

/** The canonical form of a host or domain name whose last label is not longer than the provider allows. */
export function hostName({ lastLabel }: DnsSettings, field: string, text: string): string {
  const name = parseName(text);
  if (name.slice(name.lastIndexOf('.') + 1).length > lastLabel)
    throw invalid({ [field]: `must end in a label of 2 to ${lastLabel} letters` });
  return name;
}
