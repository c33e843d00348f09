// Row types of the tables for zones and records.
import type { Generated, GeneratedAlways } from 'kysely';
import type { WithdrawalReason } from '#contract/shapes/dns.ts';
import type { AccountId } from '../account-id.ts';

export interface ZoneTable {
  id: GeneratedAlways<number>;
  /** Null for the provider's own reverse zones. */
  account_id: AccountId | null;
  /** Lower case, no trailing dot. */
  name: string;
  path: string;
  kind: 'forward' | 'reverse';
  revision: number;
  record_count: number;
  created_at: number;
}

/** A zone that was deleted, until no secondary can have it any more. */
export interface FormerZoneTable {
  name: string;
  serial: number;
  deleted_at: number;
}

export interface ZoneClaimTable {
  account_id: AccountId;
  name: string;
  token: string;
  expires_at: number;
}

export interface WithdrawnZoneTable {
  /** The id that the zone had. */
  id: number;
  account_id: AccountId;
  name: string;
  reason: WithdrawalReason;
  at: number;
}

export interface WithdrawnRecordTable {
  id: number;
  zone_id: number;
  name: string;
  type: number;
  ttl: number;
  rdata: Buffer;
}

export type ZoneAuthorKind = 'Person' | 'Key' | 'Staff' | 'Provider';

export interface ZoneVersionTable {
  zone_id: number;
  version: number;
  at: number;
  operation: string;
  serial: number;
  /** Null for versions that were made before authors were recorded. */
  author_kind: ZoneAuthorKind | null;
  /** The contact of a person, null for the account's owner; or the key. */
  author_id: number | null;
  /** The name of a member of staff. */
  author_name: string | null;
  /** Lists of `{name, type, ttl, content}`, as JSON. */
  removed: string;
  added: string;
}

export interface ZonePublicationTable {
  zone: string;
  holder: string;
  lease_until: number;
}

export interface RecordTable {
  id: Generated<number>;
  account_id: AccountId | null;
  zone_id: number;
  name: string;
  path: string;
  /** The type's number. */
  type: number;
  ttl: number;
  content: string;
  rdata: Buffer;
  /** For PTR records, the address that it names, as in `netblocks`. */
  address: string | null;
}

/** The state of an ALIAS record. */
export interface AliasTable {
  record_id: number;
  account_id: AccountId;
  zone_id: number;
  /** Zero for immediately. */
  next_look_at: number;
  failing_since: number | null;
  /** Since the last time that the target had addresses. */
  failures: number;
}

/** An A or AAAA record that is served instead of an ALIAS record. */
export interface AliasAddressTable {
  record_id: number;
  type: number;
  ttl: number;
  rdata: Buffer;
}

/** A zone that the built-in name server signs. */
export interface SignedZoneTable {
  zone_id: number;
  /** Unwanted before signing ends: the parent zone is asked to remove its DS records. */
  parent_ds: 'Wanted' | 'Unwanted';
  /** When the serial last increased for secondaries to fetch new signatures. */
  refreshed_at: number;
  /** The workflow of a running key rollover. */
  rollover_id: string | null;
  /** The customer has confirmed that the parent has the new DS record. */
  ds_confirmed: number;
}

export interface ZoneKeyTable {
  id: GeneratedAlways<number>;
  zone_id: number;
  /** The rollover that created the key. */
  workflow_id: string | null;
  /** All are in the DNSKEY set and sign it; only the active one signs the other records and has a DS record. */
  state: 'Published' | 'Active' | 'Retired';
  key_tag: number;
  algorithm: number;
  dnskey: Buffer;
  /** Sealed. */
  private_key: string;
  created_at: number;
  changed_at: number;
}

/** A change of a zone, for name servers that answer from memory. */
export interface ZoneChangeTable {
  id: GeneratedAlways<number>;
  zone_id: number;
  path: string | null;
  transaction_id: GeneratedAlways<number>;
}
