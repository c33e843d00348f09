// The names by which a site file identifies switch ports.
import type { Port } from '#store/network/switches.ts';

const keyKinds = ['name', 'description', 'alias'] as const;

export type StoredKey = Pick<Port, 'key_by' | 'key'>;

/** Returns what a port of the file is recognised by; undefined if the file leaves that to the switch. */
export function siteKeys(port: Partial<Record<(typeof keyKinds)[number], string>>): StoredKey[] {
  return keyKinds.flatMap((key_by) => (port[key_by] === undefined ? [] : [{ key_by, key: port[key_by] }]));
}
