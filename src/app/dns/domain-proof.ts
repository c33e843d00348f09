// Looks up whether an account controls a domain that it has claimed. The public DNS decides: if the domain is
// not delegated to the provider, only its owner can publish the record; if it is, the records of its present zone are
// what is public, so that nobody can take it from its holder. No transaction may be open during the lookup.
import type { DomainProof } from '#contract/parameters.ts';
import { lookUpPublicly } from '#drivers/dns/resolver.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { claimFind } from '#store/dns/zone-claims.ts';
import { zonesWithin } from '#store/dns/zones.ts';
import { contentToWire } from '#protocols/dns/rdata.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import type { App } from '../app.ts';
import type { Caller } from '../caller.ts';
import { requireUnlimited } from './limits.ts';
import { dnsSettings, hostName, type DnsSettings } from './settings.ts';
import { suffixKind } from './zone-names.ts';

const proofTimeoutMs = 10_000;
/** More lookups would let one call occupy the resolvers. */
const maxZonesBelow = 50;

/** Returns the TXT record that proves control with this token. */
export function proofRecord(domain: string, token: string): { record: string; content: string } {
  // Customers of a private suffix may register any name directly below it.
  const record = suffixKind(domain) === 'private' ? domain : `_hostyard-challenge.${domain}`;
  return { record, content: `hostyard-claim=${token}` };
}

/** Throws `claim_unproven` if the record is not there. */
export async function proveDomain(app: App, caller: Caller, text: string): Promise<DomainProof> {
  requireUnlimited(caller.dnsLimits);
  const { queries } = app.store;
  const settings = await dnsSettings(queries);
  const name = hostName(settings, 'domain', text);
  const { token } = requireFound(
    await claimFind(queries, caller.account, name, app.clock.now()),
    'The domain has not been claimed, or the claim has expired. Claim it first.',
  );
  const below = (await zonesWithin(queries, name)).filter(
    (zone) => zone.account_id !== caller.account && zone.name !== name,
  );
  if (below.length > maxZonesBelow)
    throw conflict('Other accounts have too many zones below this domain. Ask the provider to resolve this.');
  const lookUp = publicLookUp(settings);
  await requireProof(lookUp, proofRecord(name, token));
  const [delegated, undelegated]: [number[], number[]] = [[], []];
  for (const zone of below)
    ((await isDelegatedToUs(lookUp, settings, zone.name)) ? delegated : undelegated).push(zone.id);
  return { name, token, delegated, undelegated };
}

type LookUp = (name: string, type: number) => Promise<Uint8Array[] | undefined>;

export function publicLookUp({ resolvers }: DnsSettings): LookUp {
  const signal = AbortSignal.timeout(proofTimeoutMs);
  return async (name, type) => {
    try {
      return await lookUpPublicly(resolvers, name, type, signal);
    } catch (error) {
      if (!(error instanceof NameServerError)) throw error;
      const code = error.code === 'nameserver_unreachable' ? error.code : 'nameserver_error';
      const message = 'The record could not be looked up in the public DNS. Try again later.';
      throw new ApiError(code, { message, internal: error.message, cause: error });
    }
  };
}

/** Whatever else the lookup found is not revealed: resolvers may know names that are not public. */
export async function requireProof(
  lookUp: LookUp,
  { record, content }: { record: string; content: string },
): Promise<void> {
  const expected = contentToWire(rrTypes.TXT, content);
  const records = (await lookUp(record, rrTypes.TXT)) ?? [];
  if (!records.some((data) => expected.equals(data)))
    throw new ApiError('claim_unproven', {
      message: `The public DNS has no TXT record ${record} with the content ${content}. New records can take a while to appear.`,
    });
}

/** The NS records in use are those of the parent, or of a zone that the parent delegated; undelegated zones have none. */
async function isDelegatedToUs(lookUp: LookUp, { names }: DnsSettings, zone: string): Promise<boolean> {
  const records = await lookUp(zone, rrTypes.NS);
  if (records === undefined)
    throw conflict('The delegation of a zone below this domain could not be determined. Try again later.');
  const ours = names.map((name) => contentToWire(rrTypes.NS, name));
  return records.some((data) => ours.some((our) => our.equals(data)));
}
