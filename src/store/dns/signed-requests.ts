// What the name server reads for signed requests and incremental transfers, through the reader of its thread.
import type { Reader } from '../engine/reader.ts';
import type { ZoneVersionTable } from './tables.ts';

export interface SourceTsigKey {
  readonly tsig_algorithm: string;
  readonly tsig_secret: string;
  readonly expires_at: number | null;
}
/** Returns undefined if there is no such key, or its account is closed. */
export async function sourceTsigKey(reader: Reader, printableId: string): Promise<SourceTsigKey | undefined> {
  const [row] = await reader.read<SourceTsigKey>(
    `select tsig_algorithm, tsig_secret, expires_at from keys join accounts on accounts.id = keys.account_id
where printable_id = ? and kind = 'tsig' and revoked_at is null and accounts.status <> 'Closed'`,
    [printableId],
  );
  return row;
}

export type SourceVersion = Pick<ZoneVersionTable, 'version' | 'serial'> & { readonly bytes: number };
/** Returns the versions that are kept of a zone, the newest first. */
export async function sourceVersions(reader: Reader, zone: number): Promise<SourceVersion[]> {
  return reader.read(
    `select version, serial, octet_length(added) + octet_length(removed) as bytes
from zone_versions where zone_id = ? order by version desc`,
    [zone],
  );
}

export type SourceLines = Pick<ZoneVersionTable, 'added' | 'removed'>;
/** Returns the changes of the versions after one, up to another, the oldest first. */
export async function sourceVersionLines(
  reader: Reader,
  zone: number,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): Promise<SourceLines[]> {
  return reader.read(
    'select added, removed from zone_versions where zone_id = ? and version > ? and version <= ? order by version',
    [zone, after, upTo],
  );
}

/** Returns true if the name server serves records of the zone that are not in its versions: signatures or addresses. */
export async function sourceIsComputed(reader: Reader, zone: number, aliasType: number): Promise<boolean> {
  const rows = await reader.read(
    `select zone_id from signed_zones where zone_id = ?
union all select zone_id from records where zone_id = ? and type = ? limit 1`,
    [zone, zone, aliasType],
  );
  return rows.length > 0;
}
