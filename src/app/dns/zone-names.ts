// Which names an account can have as a zone: no public suffix, no domain of the provider, no reverse name of addresses
// that are not its own, and nothing that overlaps a zone of another account. See docs/decisions/zone-claims.md.
import { parse } from 'tldts';
import { networkRange, type AddressRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { contains } from '#lib/delivery.ts';
import type { AccountId } from '#store/account-id.ts';
import { zonesNamed, zonesWithin, type Zone } from '#store/dns/zones.ts';
import { netblockList } from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';
import { ancestorNames, isWithin, parentName } from '#protocols/dns/name.ts';
import { prefixOfReverseName } from '#protocols/dns/reverse.ts';
import type { DnsSettings } from './settings.ts';

const withPrivateSuffixes = { allowPrivateDomains: true };

/**
 * Returns which section of the Public Suffix List has this name, if any. Above suffixes of the form `*.kobe.jp` is no
 * domain that anybody can register, so that name counts as a suffix too.
 */
export function suffixKind(name: string): 'icann' | 'private' | undefined {
  const { publicSuffix, isIcann, isPrivate } = parse(name, withPrivateSuffixes);
  const below = `x.${name}`;
  const { publicSuffix: suffixBelow, isIcann: isIcannBelow } = parse(below, withPrivateSuffixes);
  if ((publicSuffix === name && isIcann === true) || (suffixBelow === below && isIcannBelow === true)) return 'icann';
  return publicSuffix === name && isPrivate === true ? 'private' : undefined;
}

/** Returns the domains of the provider's host names, each as registered. */
export function providerDomains({ names, hosts = [], catalog }: DnsSettings): string[] {
  const registered = [...names, ...hosts].map((host) => {
    const { domain, hostname, isIp } = parse(host, withPrivateSuffixes);
    return isIp === true ? undefined : (domain ?? hostname ?? undefined);
  });
  return [...new Set([...registered, catalog].filter((domain) => domain !== undefined))];
}

/** Returns the domain of the provider that this name is in or above. */
function providerDomainAt(settings: DnsSettings, name: string): string | undefined {
  return providerDomains(settings).find((domain) => isWithin(name, domain) || isWithin(domain, name));
}

export interface NameCheck {
  readonly name: string;
  /** The parameter that contained the name. */
  readonly field: string;
  /** The owner of a private suffix, such as github.io, can prove control of it. */
  readonly purpose: 'create' | 'prove';
}

/** Throws if no account, or not this one, can have such a zone. */
export async function checkZoneName(
  queries: Queries,
  account: AccountId,
  settings: DnsSettings,
  { name, field, purpose }: NameCheck,
): Promise<void> {
  if (settings.names.length === 0)
    throw new ApiError('capability_missing', { message: 'The provider does not run a name server.' });
  const reject = (reason: string): never => {
    throw new ApiError('name_reserved', { message: `${name} ${reason}.`, fields: { [field]: reason } });
  };
  if (isWithin(name, 'arpa')) {
    const range = reverseRange(name);
    const blocks = range === undefined ? [] : await netblockList(queries, account, undefined);
    if (!blocks.some((block) => contains(block, range!))) reject('is a reverse name outside your netblocks');
    return;
  }
  const suffix = suffixKind(name);
  if (suffix === 'icann') reject('is a public suffix, under which anyone can register domains');
  if (suffix === 'private' && purpose === 'create') reject('is a public suffix; if it is yours, claim it');
  if (settings.account !== account && providerDomainAt(settings, name) !== undefined) reject('belongs to the provider');
}

/** Returns the addresses that a reverse name describes. */
export function reverseRange(name: string): AddressRange | undefined {
  const prefix = prefixOfReverseName(name);
  return prefix && networkRange(parseNetwork(`${prefix.address}/${prefix.length}`)!);
}

/** Throws if the name is that of a zone, or overlaps one of another account or the provider. */
export async function checkFree(queries: Queries, account: AccountId, name: string): Promise<void> {
  const zones = await overlappingZones(queries, name);
  if (zones.some((zone) => zone.name === name))
    throw new ApiError('already_exists', { message: 'A zone with this name already exists.' });
  if (zones.some((zone) => zone.account_id !== account))
    throw conflict('This name overlaps a zone of another account. If the domain is yours, claim it.');
}

/** Returns the zones at, above and below this name, of any account. */
export async function overlappingZones(queries: Queries, name: string): Promise<Zone[]> {
  const above = await zonesNamed(queries, ancestorNames(parentName(name)));
  return [...above, ...(await zonesWithin(queries, name))];
}
