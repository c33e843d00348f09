// What Hostyard asks of a name server. Our database is the authority; a driver makes a name server answer what stands there.
// Record data travels as bytes (`Rrset`), so that no driver has its own idea of how a TXT record is quoted.
import type { Rrset } from '#wire/dns/rrset.ts';

/** A zone as it shall be: every set, SOA with our serial included. */
export interface WantedZone {
  readonly name: string;
  readonly rrsets: readonly Rrset[];
}

export interface PublishedZone {
  readonly name: string;
  readonly serial: number;
}

/** Setting what is already so succeeds, in every method. Names are canonical: lower case, no trailing dot. */
export interface DnsDriver extends AsyncDisposable {
  /** When it returns, queries get exactly this zone. All or nothing. */
  publish(zone: WantedZone, signal: AbortSignal): Promise<void>;
  remove(zone: string, signal: AbortSignal): Promise<void>;
  /** What the name server has, undefined where it does not have the zone. */
  read(zone: string, signal: AbortSignal): Promise<readonly Rrset[] | undefined>;
  list(signal: AbortSignal): Promise<readonly PublishedZone[]>;
  /** Tells the secondaries that the zone changed. */
  notify(zone: string, signal: AbortSignal): Promise<void>;
  /** Absent where the name server cannot sign. */
  readonly dnssec?: Dnssec;
}

export interface Dnssec {
  /** Signs the zone; answers the DS contents to give to the parent. */
  enable(zone: string, signal: AbortSignal): Promise<readonly string[]>;
  disable(zone: string, signal: AbortSignal): Promise<void>;
  /** The DS contents of a signed zone, none where it is not signed. */
  ds(zone: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** unreachable: no answer, the change may or may not have happened; refused: it said no; error: it failed or answered nonsense. */
export type NameServerErrorCode = 'nameserver_unreachable' | 'nameserver_refused' | 'nameserver_error';

export class NameServerError extends Error {
  override readonly name = 'NameServerError';
  readonly code: NameServerErrorCode;

  constructor(code: NameServerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
