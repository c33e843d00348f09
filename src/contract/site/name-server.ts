// The site file's part on DNS: the names of the name servers, who may transfer zones, and where they are published.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { Secret } from './secrets.ts';

const TransferKey = p.StrictObject({
  name: p.RecordName,
  algorithm: p.Choice('hmac-sha256', 'hmac-sha1', 'hmac-sha512'),
  /** In base64. */
  secret: Secret,
});

export const SiteNameServer = p.StrictObject({
  /** Targets of the NS records of every new zone; the first is its primary. */
  names: Type.Array(p.DomainName, { minItems: 1, maxItems: 13, 'x-reason': 'must be 1 to 13 names of name servers' }),
  /**
   * The mailbox in the SOA of new zones, as an email address or with a dot instead of the @; by default hostmaster at the domain of the
   * first name server.
   */
  hostmaster: Type.Optional(p.Hostmaster),
  /**
   * The built-in name server's address, UDP and TCP: 192.0.2.53:53, [2001:db8::53]:53. With `powerdns`, it takes updates
   * (RFC 2136) of customers, which are published to PowerDNS.
   */
  listen: Type.Optional(p.ListenAddress),
  /**
   * UDP responses per second to one network (IPv4 /24, IPv6 /56); 1000 by default. Of those above it, every second is
   * truncated, so that a resolver asks again over TCP, and the others are dropped.
   */
  responsesPerSecond: Type.Optional(p.Whole(1, 1_000_000)),
  /**
   * Threads that answer queries, each with all zones in its memory. By default one on up to two cores, and otherwise one
   * less than there are cores, but at most 4.
   */
  threads: Type.Optional(p.Whole(1, 64)),
  /** The server's identifier for clients that ask which of several servers they have reached (NSID); none by default. */
  nsid: Type.Optional(p.Text({ max: 64 })),
  /** Clients that may transfer whole zones. */
  transfer: Type.Optional(
    p.StrictObject({ networks: Type.Optional(Type.Array(p.Cidr)), keys: Type.Optional(Type.Array(TransferKey)) }),
  ),
  /** Secondaries that are notified of changes; `key` is one of `transfer.keys`. */
  secondaries: Type.Optional(
    Type.Array(
      p.StrictObject({
        address: p.IpAddress,
        port: Type.Optional(p.Whole(1, 65_535)),
        key: Type.Optional(p.RecordName),
      }),
    ),
  ),
  /** The name of the catalog zone, for secondaries that add new zones automatically (RFC 9432). */
  catalog: Type.Optional(p.DomainName),
  /** Recursive resolvers that look up proofs of control of a domain; by default the system's. */
  resolvers: Type.Optional(Type.Array(p.ListenAddress, { maxItems: 4, 'x-reason': 'must be at most 4 addresses' })),
  /** The provider's own account, the only one that may have zones of the provider's domains. */
  account: Type.Optional(p.Id),
  /** A PowerDNS that answers instead of the built-in name server. */
  powerdns: Type.Optional(
    p.StrictObject({
      url: p.Matching('^https?://', 'must be the URL of its API'),
      apiKey: Secret,
      /** `one` if its database supports one writer at a time, as SQLite does. */
      writers: Type.Optional(p.Choice('one', 'one-per-zone')),
      /** Seconds that a change waits for it before it fails; 10 by default. */
      timeoutSeconds: Type.Optional(p.Whole(1, 60)),
    }),
  ),
});

export type SiteNameServer = Static<typeof SiteNameServer>;
