// Looks names up in the public DNS through recursive resolvers, and only through them: the names come from customers,
// and no other server may be reached with them. TCP, so that nobody off the path can forge an answer.
import { getServers } from 'node:dns';
import type { Message } from '#protocols/dns/message.ts';
import { Reader } from '#protocols/dns/reader.ts';
import { headerFlags, rcodes, rrTypes } from '#protocols/dns/types.ts';
import { queryMessage, queryTcp, type ServerAddress } from './client.ts';
import { NameServerError } from './driver.ts';

const standardPort = 53;
const queryTimeoutMs = 3000;
const probeTimeoutMs = 1000;

/**
 * Returns the data of the records at exactly this name, without following aliases; undefined if the servers of the
 * domain could not be asked. Throws NameServerError if no resolver responds. Without `resolvers`, uses the system's.
 */
export async function lookUpPublicly(
  resolvers: readonly string[] | undefined,
  name: string,
  type: number,
  signal: AbortSignal,
): Promise<Uint8Array[] | undefined> {
  const answers = await answersFor(resolvers, name, type, signal);
  if (answers === undefined) return undefined;
  return answers.filter((answer) => answer.name === name && answer.type === type).flatMap(({ rdata }) => rdata);
}

export interface FoundAddresses {
  readonly rdata: readonly Uint8Array[];
  /** The shortest of all records that lead to the addresses. */
  readonly ttl: number;
}

/**
 * Returns the A or AAAA records of a name, following its aliases like the resolver; undefined if the servers of
 * a domain could not be asked. Throws like `lookUpPublicly`.
 */
export async function lookUpAddresses(
  resolvers: readonly string[] | undefined,
  name: string,
  type: number,
  signal: AbortSignal,
): Promise<FoundAddresses | undefined> {
  const answers = await answersFor(resolvers, name, type, signal);
  if (answers === undefined) return undefined;
  const ttls: number[] = [];
  let owner = name;
  for (let count = 0; count < answers.length; count++) {
    const alias = answers.find((answer) => answer.name === owner && answer.type === rrTypes.CNAME);
    if (alias === undefined) break;
    ttls.push(alias.ttl);
    owner = new Reader(alias.rdata[0]!).name();
  }
  const records = answers.filter((answer) => answer.name === owner && answer.type === type);
  ttls.push(...records.map(({ ttl }) => ttl));
  return { rdata: records.flatMap(({ rdata }) => rdata), ttl: Math.min(...ttls) };
}

/** Returns undefined if the servers of the domain could not be asked. */
async function answersFor(
  resolvers: readonly string[] = getServers(),
  name: string,
  type: number,
  signal: AbortSignal,
): Promise<Message['answers'] | undefined> {
  let lastError: unknown = new Error('no resolver is configured');
  let isWaitingForDomain = false;
  for (const server of resolvers.map(serverAddress)) {
    const request = { ...queryMessage(name, type), flags: headerFlags.RECURSION_DESIRED };
    let response: Message | undefined;
    try {
      response = await queryTcp(server, request, AbortSignal.any([signal, AbortSignal.timeout(queryTimeoutMs)]));
      checkResponse(request, response);
      const { rcode, answers } = response;
      return rcode === rcodes.NOERROR || rcode === rcodes.NXDOMAIN ? answers : undefined;
    } catch (error) {
      lastError = error;
      isWaitingForDomain ||= response === undefined && (await responds(server, signal));
    }
  }
  if (isWaitingForDomain) return undefined;
  if (lastError instanceof NameServerError) throw lastError;
  throw new NameServerError('nameserver_unreachable', `no resolver responds: ${String(lastError)}`);
}

/** Asks for a name that resolvers answer themselves (RFC 6303), so any response shows that this one works. */
async function responds(server: ServerAddress, signal: AbortSignal): Promise<boolean> {
  const request = { ...queryMessage('1.0.0.127.in-addr.arpa', rrTypes.PTR), flags: headerFlags.RECURSION_DESIRED };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
  return queryTcp(server, request, limit).then(
    () => true,
    () => false,
  );
}

/**
 * Rejects what no recursive resolver says: it recurses, and is not the authority itself. So a name server of ours that
 * is configured by mistake proves nothing about the public DNS.
 */
function checkResponse(request: Message, { id, flags, questions }: Message): void {
  const [asked] = request.questions;
  const [answered] = questions;
  if (id !== request.id || answered?.name !== asked!.name || answered.type !== asked!.type)
    throw new NameServerError('nameserver_error', 'the resolver answered another question');
  if ((flags & headerFlags.RECURSION_AVAILABLE) === 0 || (flags & headerFlags.AUTHORITATIVE) !== 0)
    throw new NameServerError('nameserver_error', 'the resolver is not a recursive one, or has the zone itself');
}

/** Reads `address:port`, `[address]:port`, or an address alone. */
function serverAddress(text: string): ServerAddress {
  const match = /^(?:\[(.+)\]|([^:]+)):(\d+)$/.exec(text);
  return match === null
    ? { address: text, port: standardPort }
    : { address: match[1] ?? match[2]!, port: Number(match[3]) };
}
