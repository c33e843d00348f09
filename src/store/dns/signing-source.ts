// What the built-in name server reads about the zones that it signs.
import type { Selectable } from 'kysely';
import type { Reader } from '../engine/reader.ts';
import type { SignedZoneTable, ZoneKeyTable } from './tables.ts';

export type SourceKey = Pick<Selectable<SignedZoneTable>, 'parent_ds'> &
  Pick<Selectable<ZoneKeyTable>, 'zone_id' | 'state' | 'key_tag' | 'dnskey' | 'private_key'>;

/** Returns the keys of one zone or of all zones, the oldest of each zone first. */
export async function sourceKeys(reader: Reader, zone: number | 'all'): Promise<readonly SourceKey[]> {
  const columns = 'zone_keys.zone_id, parent_ds, state, key_tag, dnskey, private_key';
  const keys = `select ${columns} from signed_zones join zone_keys on zone_keys.zone_id = signed_zones.zone_id`;
  const order = 'order by zone_keys.zone_id, zone_keys.id';
  return zone === 'all'
    ? reader.read(`${keys} ${order}`, [])
    : reader.read(`${keys} where signed_zones.zone_id = ? ${order}`, [zone]);
}
