// Row types of the tables for zones and records.
import type { GeneratedAlways } from 'kysely';
import type { AccountId } from '../account-id.ts';

export interface ZoneTable {
  id: GeneratedAlways<number>;
  /** Null for the provider's own reverse zones. */
  account_id: AccountId | null;
  /** Lower case, no trailing dot. */
  name: string;
  kind: 'forward' | 'reverse';
  revision: number;
  record_count: number;
  created_at: number;
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
  id: GeneratedAlways<number>;
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
