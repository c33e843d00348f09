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

export interface ZoneVersionTable {
  zone_id: number;
  version: number;
  at: number;
  operation: string;
  serial: number;
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
