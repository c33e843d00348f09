// Guards requests to URLs that customers choose. Hostyard runs inside the provider's network, so without a guard a customer could
// make it call services that only the inside can reach (SSRF). A URL is checked when it is registered and again at every call, and
// the socket connects to exactly the addresses that were checked, so that DNS rebinding gains nothing.
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { networkContains, parseAddress, type Address, type Network } from './addresses.ts';
import { specialKind, unwrapIpv4 } from './special-networks.ts';

/** The message is for the customer, for example `points to a private address, which is not allowed`. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
}

export interface EgressGuard {
  /** Throws EgressError if the URL may not be called for this account at present. */
  check(url: string, account: number): Promise<void>;
  /** Like `check`, for a connection without a URL. */
  checkAddress(address: string, account: number): Promise<void>;
  /**
   * Returns a new undici agent that connects only to addresses that were checked for this account; destroy it after use.
   * undici is loaded on first use, because most installations never call anyone.
   */
  createAgent(account: number): Promise<Agent>;
}

export interface EgressGuardOptions {
  /** Networks that the operator allows, queried at each check. */
  readonly allowed: () => Promise<readonly Network[]>;
  /** Returns whether the address is the provider's, and not assigned to the account; called at each check. */
  readonly isProviders: (address: Address, account: number) => Promise<boolean>;
  /** Name servers as `address:port`; by default the system's. */
  readonly nameServers?: readonly string[];
}

const lookupTimeoutMs = 3000;
const lookupTries = 2;
const connectTimeoutMs = 10_000;
/** Each address is looked up in the database at every call, and an answer has room for thousands. */
const maxAddresses = 32;

export function createEgressGuard({ allowed, isProviders, nameServers }: EgressGuardOptions): EgressGuard {
  const resolver = openResolver();
  if (nameServers !== undefined) resolver.setServers(nameServers);

  /** One forbidden address is enough to reject, because we cannot choose which of them would be called. */
  async function addressesOf(host: string, account: number): Promise<Address[]> {
    const literal = parseAddress(host);
    const addresses = literal === undefined ? await resolveHost(resolver, host) : [literal];
    const allow = await allowed();
    for (const address of addresses) {
      const real = unwrapIpv4(address);
      if (allow.some((network) => networkContains(network, real) || networkContains(network, address))) continue;
      const kind = specialKind(real);
      if (kind !== undefined) throw new EgressError(`points to ${kind} address, which is not allowed`);
      if (await isProviders(real, account))
        throw new EgressError('points to an address of this provider that your account does not have');
    }
    return addresses;
  }

  async function createAgent(account: number): Promise<Agent> {
    const undici = await import('undici');
    const lookup: LookupFunction = (host, options, resolved) => {
      addressesOf(host, account).then(
        (addresses) => {
          const entries = addresses.map((entry) => ({
            address: entry.toString(),
            family: entry.kind() === 'ipv4' ? 4 : 6,
          }));
          if (options.all === true) resolved(null, entries);
          else resolved(null, entries[0]!.address, entries[0]!.family);
        },
        (error: Error) => resolved(error, []),
      );
    };
    const connect = undici.buildConnector({ lookup, timeout: connectTimeoutMs, allowH2: false });
    return new undici.Agent({
      // Node does not look up literal addresses, so those are checked here.
      connect: (options, connected) => {
        if (parseAddress(options.hostname) === undefined) return void connect(options, connected);
        addressesOf(options.hostname, account).then(
          () => connect(options, connected),
          (error: Error) => connected(error, null),
        );
      },
    });
  }

  return {
    createAgent,
    async check(url, account) {
      await addressesOf(urlHost(url), account);
    },
    async checkAddress(address, account) {
      await addressesOf(address, account);
    },
  };
}

/** Returns the URL's host without brackets, in the canonical form of the URL standard. */
export function urlHost(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new EgressError('must be a URL that starts with http:// or https://');
  if (url.username !== '' || url.password !== '') throw new EgressError('must not contain a user name or password');
  if (url.port === '0') throw new EgressError('must not use port 0');
  return url.hostname.replace(/^\[|\]$/g, '');
}

/** Queries name servers directly: the system's lookup would block one of few threads for as long as a slow server takes. */
export function openResolver(): Resolver {
  return new Resolver({ timeout: lookupTimeoutMs, tries: lookupTries });
}

/** Throws EgressError if the name has no address, or very many. */
export async function resolveHost(resolver: Resolver, host: string): Promise<Address[]> {
  const name = host.replace(/\.$/, '').toLowerCase();
  // RFC 6761: name servers must not be asked for this name.
  if (name === 'localhost' || name.endsWith('.localhost')) return [parseAddress('127.0.0.1')!];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const texts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (texts.length === 0) throw new EgressError('has a host name that does not resolve');
  if (texts.length > maxAddresses) throw new EgressError(`has a host name with more than ${maxAddresses} addresses`);
  // Defence in depth: digits that the URL standard does not read as an address do not resolve either.
  return texts.map((text) => {
    const address = parseAddress(text);
    if (address === undefined) throw new EgressError('has a host name that does not resolve');
    return address;
  });
}
