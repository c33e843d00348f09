// The site's DNS settings, stored in the database so that all instances use the same.
import { Type, type Static } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import { invalid } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import { parentName, parseName } from '#protocols/dns/name.ts';

const DnsSettings = Type.Object({
  /** Targets of the NS records of new zones; empty if the provider runs no name server. */
  names: Type.Array(Type.String()),
  hostmaster: Type.String(),
  /** The maximum length of the last label of a name. */
  lastLabel: Type.Integer(),
  /** Other host names of the provider. Optional like the rest, because older versions did not store them. */
  hosts: Type.Optional(Type.Array(Type.String())),
  catalog: Type.Optional(Type.String()),
  /** As `address:port`. */
  resolvers: Type.Optional(Type.Array(Type.String())),
  /** The provider's own account. */
  account: Type.Optional(Type.Integer()),
});
export type DnsSettings = Static<typeof DnsSettings>;

const entry = metaEntry('dns', DnsSettings);
const documentedLastLabel = 6;
const none: DnsSettings = { names: [], hostmaster: '', lastLabel: documentedLastLabel };

/** Dots before the @ belong to the first label. */
export function mailboxName(mailbox: string): string {
  const [user, domain] = mailbox.split('@');
  return domain === undefined ? mailbox : `${user!.replaceAll('.', '\\.')}.${domain}`;
}

export async function storeDnsSettings(queries: Queries, site: Site): Promise<void> {
  const names = (site.nameserver?.names ?? []).map((name) => parseName(name));
  const hostmaster = site.nameserver?.hostmaster ?? `hostmaster.${parentName(names[0] ?? '')}`;
  const lastLabel = site.provider.lastLabel ?? documentedLastLabel;
  const { catalog, resolvers, account } = site.nameserver ?? {};
  await entry.put(queries, {
    names,
    hostmaster: parseName(mailboxName(hostmaster)),
    lastLabel,
    hosts: [site.screens?.host, site.consoles?.host, site.consoles?.web?.url, site.boot?.url, site.media?.url].filter(
      (host) => host !== undefined,
    ),
    ...pickDefined({ catalog: catalog && parseName(catalog), resolvers, account }),
  });
}

export async function dnsSettings(queries: Queries): Promise<DnsSettings> {
  return (await entry.find(queries)) ?? none;
}

/**
 * Returns the canonical form of a host or domain name. Rejects a last label that is longer than the provider allows.
 */
export function hostName({ lastLabel }: DnsSettings, field: string, text: string): string {
  const name = parseName(text);
  const last = name.slice(name.lastIndexOf('.') + 1);
  // A top-level domain in another script counts as longer than the documented length.
  const isTooLong = last.length > lastLabel || (last.startsWith('xn--') && lastLabel === documentedLastLabel);
  if (name.includes('.') && isTooLong) throw invalid({ [field]: `must end in a label of 2 to ${lastLabel} letters` });
  return name;
}
