// The interface of DNS drivers. Our database is the authority; a driver makes a name server serve it. Record data is
// passed as wire-format rdata (`Rrset`), so that drivers do not differ in quoting.
import type { Rrset } from '#protocols/dns/rrset.ts';

/** The complete content of a zone, including the SOA with our serial. */
export interface ZoneContent {
  readonly name: string;
  readonly rrsets: readonly Rrset[];
}

export interface PublishedZone {
  readonly name: string;
  readonly serial: number;
}

/** Every method succeeds if the state already applies. Names are canonical: lower case, without a trailing dot. */
export interface DnsDriver extends AsyncDisposable {
  /** Replaces the zone atomically; resolves once queries return it. */
  publish(zone: ZoneContent, signal: AbortSignal): Promise<void>;
  remove(zone: string, signal: AbortSignal): Promise<void>;
  /** Returns what the name server has, or undefined if it does not have the zone. */
  read(zone: string, signal: AbortSignal): Promise<readonly Rrset[] | undefined>;
  list(signal: AbortSignal): Promise<readonly PublishedZone[]>;
  /** Absent if the name server cannot sign. */
  readonly dnssec?: Dnssec;
}

export interface Dnssec {
  /** Signs the zone and returns the DS contents for the parent. */
  enable(zone: string, signal: AbortSignal): Promise<readonly string[]>;
  disable(zone: string, signal: AbortSignal): Promise<void>;
  /** Returns the DS contents of a signed zone; empty if it is not signed. */
  ds(zone: string, signal: AbortSignal): Promise<readonly string[]>;
}

/**
 * unreachable: no response, so the outcome is unknown; refused: the name server rejected it, or a record in it; error:
 * it failed or sent an invalid response.
 */
export type NameServerErrorCode =
  | 'nameserver_unreachable'
  | 'nameserver_refused'
  | 'record_refused'
  | 'nameserver_error';

export class NameServerError extends Error {
  override readonly name = 'NameServerError';
  readonly code: NameServerErrorCode;

  constructor(code: NameServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
