// The guard before every address that a customer can give us to call. Hostyard stands inside the provider's network: without
// it, a customer could have it knock at doors that only the inside can reach. A URL is judged when it is registered and again
// when it is dialled, and the socket is given the very addresses that were judged, so that a name that has changed its mind
// in between gains nothing.
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import type { Agent } from 'undici';
import { parseAddress, type Address, type Network } from './addresses.ts';
import { specialKind } from './special-networks.ts';

/** The message says why, in words for the customer: `leads to a private address, which is refused`. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused';
}

export interface Dialling {
  /** Throws DialRefused where the URL may not be called, now. */
  check(url: string): Promise<void>;
  /** For undici: connects to addresses only that were checked. The library is loaded with the first: most installations are
   * started far more often than they call anybody. */
  agent(): Promise<Agent>;
}

export interface DiallingParts {
  /** Networks that the operator has opened, asked for at each check. */
  readonly allowed: () => Promise<readonly Network[]>;
  /** Name servers, `address:port`; those of the system unless told. */
  readonly nameServers?: readonly string[];
}

const lookupTimeoutMs = 3000;
const lookupTries = 2;
const connectTimeoutMs = 10_000;

export function dialling({ allowed, nameServers }: DiallingParts): Dialling {
  // Asks name servers itself: the system's own lookup would occupy a thread of few for as long as a slow server likes.
  const resolver = new Resolver({ timeout: lookupTimeoutMs, tries: lookupTries });
  if (nameServers !== undefined) resolver.setServers(nameServers);

  async function addressesOf(host: string): Promise<Address[]> {
    const literal = parseAddress(host);
    const addresses = literal === undefined ? await resolved(resolver, host) : [literal];
    const allow = await allowed();
    for (const address of addresses) {
      const kind = specialKind(address, allow);
      // One such address among good ones is enough: which of them would be dialled is not ours to choose.
      if (kind !== undefined) throw new DialRefused(`leads to ${kind} address, which is refused`);
    }
    return addresses;
  }

  const lookup: LookupFunction = (host, options, answer) => {
    addressesOf(host).then(
      (addresses) => {
        const found = addresses.map((one) => ({ address: one.toString(), family: one.kind() === 'ipv4' ? 4 : 6 }));
        if (options.all === true) answer(null, found);
        else answer(null, found[0]!.address, found[0]!.family);
      },
      (error: Error) => answer(error, []),
    );
  };
  async function makeAgent(): Promise<Agent> {
    const undici = await import('undici');
    const connect = undici.buildConnector({ lookup, timeout: connectTimeoutMs, allowH2: false });
    return new undici.Agent({
      // Node does not look up what is an address already, so that is judged before.
      connect: (options, connected) => {
        if (parseAddress(options.hostname) === undefined) return void connect(options, connected);
        addressesOf(options.hostname).then(
          () => connect(options, connected),
          (error: Error) => connected(error, null),
        );
      },
    });
  }
  let made: Promise<Agent> | undefined;

  return {
    agent: () => (made ??= makeAgent()),
    async check(url) {
      await addressesOf(dialledHost(url));
    },
  };
}

/** The host that the URL leads to, without brackets and in the one spelling that the URL standard gives it. */
export function dialledHost(text: string): string {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new DialRefused('must be a URL that begins with http:// or https://');
  if (url.username !== '' || url.password !== '') throw new DialRefused('must not carry a user name or a password');
  if (url.port === '0') throw new DialRefused('must not have the port 0');
  return url.hostname.replace(/^\[|\]$/g, '');
}

async function resolved(resolver: Resolver, host: string): Promise<Address[]> {
  const name = host.replace(/\.$/, '').toLowerCase();
  // RFC 6761: this name is not for name servers to answer.
  if (name === 'localhost' || name.endsWith('.localhost')) return [parseAddress('127.0.0.1')!];
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const texts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (texts.length === 0) throw new DialRefused('has a name without an address');
  // Digits that the URL standard does not read as an address do not get past the name servers; this is a second bolt.
  return texts.map((text) => {
    const address = parseAddress(text);
    if (address === undefined) throw new DialRefused('has a name without an address');
    return address;
  });
}
