// Checks whether the parent zone delegates a zone to us. Only the parent's own name servers know: a resolver answers with
// the NS records of the zone itself. The resolvers say who they are, and customers can influence that, because they may
// own the parent zone. So the egress guard decides which of them are asked.
import type { Static } from 'typebox';
import type { ZoneDelegation } from '#contract/shapes/dns.ts';
import { queryMessage, queryTcp } from '#drivers/dns/client.ts';
import { NameServerError } from '#drivers/dns/driver.ts';
import { lookUpAddresses, lookUpPublicly } from '#drivers/dns/resolver.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Message } from '#protocols/dns/message.ts';
import { ancestorNames } from '#protocols/dns/name.ts';
import { wireToContent } from '#protocols/dns/rdata.ts';
import { Reader } from '#protocols/dns/reader.ts';
import { headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { addressTypes } from '#protocols/dns/zone-rules.ts';
import type { Context } from '../app.ts';
import { findZoneOrThrow } from './change.ts';
import { dnsSettings } from './settings.ts';

type Shape = Static<typeof ZoneDelegation>;

const timeoutMs = 10_000;
const queryTimeoutMs = 3000;
const maxServers = 3;
const dnsPort = 53;

/** Why it is unknown, for the customer. */
class DelegationUnknown extends Error {}

export async function zoneDelegationGet(context: Context, domain: number): Promise<Shape> {
  const zone = await findZoneOrThrow(context, domain);
  const { names: expected, resolvers } = await dnsSettings(context.queries);
  if (expected.length === 0)
    throw new ApiError('capability_missing', { message: 'The provider does not run a name server.' });
  const lookUp = { resolvers, signal: AbortSignal.timeout(timeoutMs) };
  try {
    const parent = await findParent(lookUp, zone.name);
    const nameservers = await askParent(context, lookUp, parent, zone.name);
    return { status: statusOf(nameservers, expected), parent, nameservers, expected, reason: '' };
  } catch (error) {
    if (error instanceof NameServerError) context.app.log.warn({ err: error, zone: zone.name }, 'no resolver responds');
    else if (!(error instanceof DelegationUnknown)) throw error;
    const reason = error instanceof DelegationUnknown ? error.message : 'The public DNS could not be queried.';
    return { status: 'unknown', parent: '', nameservers: [], expected, reason };
  }
}

function statusOf(nameservers: readonly string[], expected: readonly string[]): Shape['status'] {
  if (nameservers.length === 0) return 'none';
  const ours = nameservers.filter((name) => expected.includes(name));
  if (ours.length === 0) return 'others';
  return ours.length === nameservers.length ? 'ours' : 'partly';
}

interface LookUp {
  readonly resolvers: readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** Returns the zone that the name above this one belongs to. */
async function findParent({ resolvers, signal }: LookUp, zone: string): Promise<string> {
  for (const name of ancestorNames(zone).slice(1)) {
    const soa = await lookUpPublicly(resolvers, name, rrTypes.SOA, signal);
    if (soa === undefined) throw new DelegationUnknown(`The name servers of ${name} do not respond.`);
    if (soa.length > 0) return name;
  }
  throw new DelegationUnknown('The public DNS has no parent zone for this zone.');
}

/** Returns the name servers that the first server with a clear answer delegates the zone to. */
async function askParent({ app, caller }: Context, lookUp: LookUp, parent: string, zone: string): Promise<string[]> {
  const { resolvers, signal } = lookUp;
  const servers = ((await lookUpPublicly(resolvers, parent, rrTypes.NS, signal)) ?? []).slice(0, maxServers);
  for (const server of servers)
    for (const address of await addressesOf(lookUp, new Reader(server).name()))
      try {
        await app.egress.checkAddress(address, caller.account);
        const request = queryMessage(zone, rrTypes.NS);
        const limit = AbortSignal.any([signal, AbortSignal.timeout(queryTimeoutMs)]);
        const nameservers = delegationIn(await queryTcp({ address, port: dnsPort }, request, limit), request);
        if (nameservers !== undefined) return nameservers;
      } catch (error) {
        app.log.debug({ err: error, address, parent }, 'a name server of a parent zone did not answer');
      }
  throw new DelegationUnknown(
    `The name servers of ${parent === '' ? 'the root zone' : parent} gave an unclear answer.`,
  );
}

async function addressesOf({ resolvers, signal }: LookUp, name: string): Promise<string[]> {
  const found = await Promise.all(
    [...addressTypes].map(async (type) => {
      const set = await lookUpAddresses(resolvers, name, type, signal);
      return set?.rdata.slice(0, 1).map((data) => wireToContent(type, data, 'plain')) ?? [];
    }),
  );
  return found.flat();
}

/** A referral, an answer if the server has the zone too, or the statement that there is neither. Undefined if unclear. */
function delegationIn(response: Message, request: Message): string[] | undefined {
  const [{ name: zone }] = request.questions as [Message['questions'][number]];
  const [question] = response.questions;
  if (response.id !== request.id || question?.name !== zone || question.type !== rrTypes.NS) return undefined;
  const isNs = (set: Message['answers'][number]): boolean => set.name === zone && set.type === rrTypes.NS;
  const sets = [...response.answers, ...response.authorities].filter(isNs);
  const isFinal = (response.flags & headerFlags.AUTHORITATIVE) !== 0;
  const isKnown = response.rcode === rcodes.NOERROR || response.rcode === rcodes.NXDOMAIN;
  if (!isKnown || (sets.length === 0 && !isFinal)) return undefined;
  return sets.flatMap(({ rdata }) => rdata.map((data) => new Reader(data).name())).toSorted();
}
