// Decides which port of a switch a stored port is. Switches renumber their ports, so the number in the site file counts only
// once: when the port is first seen, and its name is learned. A port that cannot be identified for certain is not used.
import { hasKey, type PortKey, type PortKeyKind, type PortNames } from '#drivers/switch/driver.ts';
import type { Port } from '#store/network/switches.ts';

export type PortProblem = NonNullable<Port['problem']>;
export type Binding<Names extends PortNames> =
  | { readonly key: PortKey; readonly found: Names }
  | { readonly problem: PortProblem };

/** The key of an unknown port: its name, or its description if several ports share the name. */
const learnedKinds: readonly PortKeyKind[] = ['name', 'description'];

export function keyOf({ key_by, key }: Pick<Port, 'key_by' | 'key'>): PortKey | undefined {
  return key_by === null || key === null ? undefined : { by: key_by, value: key };
}

/** Only ports that belong to somebody matter: others may stay unidentified. */
export function isAssigned({ server, service_id }: Pick<Port, 'server' | 'service_id'>): boolean {
  return server !== null || service_id !== null;
}

/** `present` are the ports of the switch, and `stored` those in the database. */
export function bindPort<Names extends PortNames>(
  port: Port,
  present: readonly Names[],
  stored: readonly Port[],
): Binding<Names> {
  const key = keyOf(port) ?? learnKey(port.if_index, present);
  if (typeof key === 'string') return { problem: key };
  const [found, ...others] = present.filter((candidate) => hasKey(candidate, key));
  if (found === undefined) return { problem: 'missing' };
  if (others.length > 0) return { problem: 'ambiguous' };
  const isTaken = stored.some((other) => {
    const otherKey = keyOf(other);
    return other.id !== port.id && isAssigned(other) && otherKey !== undefined && hasKey(found, otherKey);
  });
  return isTaken ? { problem: 'taken' } : { key, found };
}

function learnKey(ifIndex: number, present: readonly PortNames[]): PortKey | PortProblem {
  const port = present.find((candidate) => candidate.ifIndex === ifIndex);
  if (port === undefined) return 'missing';
  for (const by of learnedKinds) {
    const key = { by, value: port[by] };
    if (key.value !== '' && present.filter((candidate) => hasKey(candidate, key)).length === 1) return key;
  }
  return 'ambiguous';
}
